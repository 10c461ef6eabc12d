import fc from 'fast-check'

/** Whether an answer shows what has become of a block. */
export const progress = fc.constantFrom(undefined, undefined, 'true', 'true', 'false', 'yes')
export const progressOf = (progress: string | undefined) => ({
  query: progress === undefined ? '' : `?progress=${progress}`,
  asked: progress === 'true',
  badQuery: progress === 'yes' ? ['progress'] : [],
})
