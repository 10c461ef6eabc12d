import { changing } from './scenarios/changing.ts'
import { deleting } from './scenarios/deleting.ts'
import { once } from './scenarios/once.ts'
import { planning } from './scenarios/planning.ts'

export const scenarios = [...planning, ...deleting, ...changing, ...once]
