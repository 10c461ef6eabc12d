// The answers of providers by name. Readers check them: what is not listed here is dropped.
import type { z } from 'zod'
import * as google from './google-answers.ts'
import * as microsoft from './microsoft-answers.ts'

export const answers = {
  'google-calendars': google.CalendarList,
  'google-events': google.EventList,
  'microsoft-calendars': microsoft.CalendarList,
  'microsoft-events': microsoft.Delta,
  'microsoft-series': microsoft.Series,
}

export type AnswerName = keyof typeof answers
export type Answers = { [Name in AnswerName]: z.output<(typeof answers)[Name]> }
