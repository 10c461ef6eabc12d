import { z } from 'zod'
import { ClockTime, Id, nothingToChange, Reference } from './values.ts'

/** Both times are in the user's timezone. The span includes midnight if `to` is before `from`. */
export const QuietHours = z
  .object({ from: ClockTime, to: ClockTime })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'Must not equal from' })
  .meta({ id: 'QuietHours', examples: [{ from: '22:00', to: '06:00' }] })

const Span = z
  .object({ from: ClockTime, to: ClockTime })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'Must be after from' })

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const Lunch = z
  .object({ from: ClockTime, to: ClockTime, minutes: z.int().min(5).max(240) })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'Must be after from', abort: true })
  .refine(({ from, to, minutes }) => minutes <= minuteOf(to) - minuteOf(from), {
    path: ['minutes'],
    error: 'Must fit between from and to',
  })

/** The user's preferences for a day. All times are in the user's timezone; null turns a part off. */
export const PlanningPreferences = z
  .object({
    lunch: Lunch.nullable().meta({
      description: 'The lunch break: `minutes` are kept free between `from` and `to`',
    }),
    breaks: z
      .object({ afterMinutes: z.int().min(15).max(480), minutes: z.int().min(1).max(120) })
      .nullable()
      .meta({ description: 'A break of `minutes` after each session of at least `afterMinutes`' }),
    dailyLimitMinutes: z
      .int()
      .min(15)
      .max(1440)
      .nullable()
      .meta({ description: 'The maximum number of minutes of work on tasks in a day' }),
    keepFreePercent: z.int().min(0).max(50).meta({
      description:
        'The share of the free time of each day that is reserved for work that would be late or left over',
    }),
    bufferMinutes: z
      .int()
      .min(0)
      .max(60)
      .meta({ description: 'Free time between sessions of different tasks' }),
    focusHours: Span.nullable().meta({
      description: 'The hours in which long work is placed if possible',
    }),
    deepWorkUntil: ClockTime.nullable().meta({
      description: 'Long work begins before this time if possible',
    }),
  })
  .meta({
    id: 'PlanningPreferences',
    examples: [
      {
        lunch: { from: '11:30', to: '14:00', minutes: 45 },
        breaks: { afterMinutes: 45, minutes: 10 },
        dailyLimitMinutes: 360,
        keepFreePercent: 10,
        bufferMinutes: 5,
        focusHours: { from: '09:00', to: '12:00' },
        deepWorkUntil: null,
      },
    ],
  })

/** What happens to a planner block that has ended and was neither started nor completed. */
export const MissedBlocks = z.enum(['reschedule', 'assume-done'])

export const Settings = z
  .object({
    automatic: z.boolean().meta({
      description: 'Whether to plan automatically when something changes, and once a day',
    }),
    quietHours: QuietHours.nullable().meta({
      description: 'The hours without automatic planning; null for none',
    }),
    dailyRunAt: ClockTime.meta({
      description: 'The time of the daily automatic run, which extends the plan by a day',
    }),
    morningSummaryAt: ClockTime.nullable().meta({
      description: 'The time at which a morning summary is written each day; null (default): never',
    }),
    deadlineAlerts: z.boolean().meta({
      description:
        'Whether to write an alert about deadlines at risk after each automatic run; default: false',
    }),
    missedBlocks: MissedBlocks.meta({
      description:
        'Whether the minutes of a missed block are planned again (`reschedule`) or count as done',
    }),
    assumedMinutes: z.int().min(5).max(480).nullable().meta({
      description: 'The length to plan for a task without an estimate; null leaves such tasks out',
    }),
    schedulePreferenceId: Id.nullable().meta({
      description:
        'The schedule preference of tasks that have none, and whose project and space have none either',
    }),
    planning: PlanningPreferences,
  })
  .meta({
    id: 'Settings',
    examples: [
      {
        automatic: true,
        quietHours: null,
        dailyRunAt: '05:00',
        morningSummaryAt: '07:00',
        deadlineAlerts: true,
        missedBlocks: 'reschedule',
        assumedMinutes: 30,
        schedulePreferenceId: null,
        planning: {
          lunch: { from: '11:30', to: '14:00', minutes: 45 },
          breaks: null,
          dailyLimitMinutes: null,
          keepFreePercent: 0,
          bufferMinutes: 0,
          focusHours: null,
          deepWorkUntil: null,
        },
      },
    ],
  })

/** `planning` is merged key by key. */
export const SettingsChanges = Settings.extend({
  schedulePreferenceId: Reference.nullable(),
  planning: PlanningPreferences.partial(),
})
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, nothingToChange)
  .meta({ id: 'SettingsChanges', examples: [{ automatic: true }] })

export type PlanningPreferences = z.infer<typeof PlanningPreferences>
export type Settings = z.infer<typeof Settings>
export type SettingsChanges = z.infer<typeof SettingsChanges>
