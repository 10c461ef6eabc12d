import { z } from 'zod'
import { ClockTime, nothingToChange } from './values.ts'

/** Both in the user's timezone; over midnight if `to` is before `from`. */
export const QuietHours = z
  .object({ from: ClockTime, to: ClockTime })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'Must differ from from' })
  .meta({ id: 'QuietHours', examples: [{ from: '22:00', to: '06:00' }] })

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
      },
    ],
  })

export const SettingsChanges = Settings.partial()
  .refine((changes) => Object.keys(changes).length > 0, nothingToChange)
  .meta({ id: 'SettingsChanges', examples: [{ automatic: true }] })

export type Settings = z.infer<typeof Settings>
export type SettingsChanges = z.infer<typeof SettingsChanges>
