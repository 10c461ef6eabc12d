import { z } from 'zod'
import { ClockTime, Id, nothingToChange, Reference } from './values.ts'

/** Both in the user's timezone; over midnight if `to` is before `from`. */
export const QuietHours = z
  .object({ from: ClockTime, to: ClockTime })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'Must differ from from' })
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
    lunch: Lunch.nullable().meta({ description: 'This many minutes stay free within the span' }),
    breaks: z
      .object({ afterMinutes: z.int().min(15).max(480), minutes: z.int().min(1).max(120) })
      .nullable()
      .meta({ description: 'A break after a session of at least `afterMinutes`' }),
    dailyLimitMinutes: z
      .int()
      .min(15)
      .max(1440)
      .nullable()
      .meta({ description: 'The most work on tasks in a day' }),
    keepFreePercent: z
      .int()
      .min(0)
      .max(50)
      .meta({ description: 'The share of each day that only work that would be late may use' }),
    bufferMinutes: z
      .int()
      .min(0)
      .max(60)
      .meta({ description: 'Free time between sessions of different tasks' }),
    focusHours: Span.nullable().meta({ description: 'Where long work is placed if possible' }),
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
    automatic: z.boolean().meta({ description: 'Re-plan automatically when something changes' }),
    quietHours: QuietHours.nullable().meta({ description: 'When there is no automatic planning' }),
    dailyRunAt: ClockTime.meta({ description: 'When an automatic plan rolls forward each day' }),
    morningSummaryAt: ClockTime.nullable().meta({
      description: 'When a morning summary is written each day; null, the default, for none',
    }),
    deadlineAlerts: z.boolean().meta({
      description: 'Write an alert for deadlines at risk after each automatic run; off by default',
    }),
    missedBlocks: MissedBlocks.meta({
      description: 'Plan the minutes of a missed block again, or count them as done',
    }),
    assumedMinutes: z.int().min(5).max(480).nullable().meta({
      description: 'The length to plan for a task without an estimate; null leaves such tasks out',
    }),
    schedulePreferenceId: Id.nullable().meta({
      description: 'The windows of tasks without their own, if project and space have none',
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
