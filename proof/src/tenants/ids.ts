export const id = (group: number, number: number) =>
  `${group.toString(16).padStart(8, '0')}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

/** Ada's id sorts before Grace's: where the first of several rows is taken, it is Ada's. */
export const ada = id(0, 1)
export const grace = id(0, 2)
/** An admin. */
export const root = id(0, 3)
export const adasMark = 'adas-secret'
