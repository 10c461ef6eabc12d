import type { Mutant } from '../kit/harness.ts'
import { calendar } from './mutants/calendar.ts'
import { events } from './mutants/events.ts'
import { people } from './mutants/people.ts'
import { places } from './mutants/places.ts'
import { work } from './mutants/work.ts'

export const mutants: Mutant[] = [...places, ...work, ...calendar, ...people, ...events]
