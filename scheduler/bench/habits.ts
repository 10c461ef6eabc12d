// The weeks of people.ts with habits: the gym three times a week, lunch every working day, a weekly report.
import type { Problem, Task, Window } from '../src/model.ts'
import { type Instance, range } from './instances.ts'
import { people } from './people.ts'

const MINUTE = 60_000
const EVENINGS: Window[] = [{ day: [0, 1, 2, 3, 4, 5, 6], start: '17:00', end: '21:00' }]
const LUNCHTIME: Window[] = [{ day: [1, 2, 3, 4, 5], start: '11:30', end: '14:00' }]

export type Habit = {
  name: string
  /** The tasks of the habit, per week of the plan. */
  weeks: Task[][]
}

export type HabitWeek = Instance & { habits: Habit[] }

/** Eight weeks of each kind of person. */
export const habitWeeks = (): HabitWeek[] =>
  people(8).map((instance) => {
    const habits = habitsOf(instance.problem)
    const tasks = [...instance.problem.tasks, ...habits.flatMap(({ weeks }) => weeks.flat())]
    return { ...instance, problem: { ...instance.problem, tasks }, habits }
  })

const habitsOf = ({ now, timezone }: Problem): Habit[] => {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone)
  const monday = today.toPlainDate().subtract({ days: today.dayOfWeek - 1 })
  const at = (day: number, time: string) =>
    monday.add({ days: day }).toPlainDateTime(time).toZonedDateTime(timezone).epochMilliseconds
  const occurrence = (
    name: string,
    number: number,
    minutes: number,
    [opens, due]: [number, number],
    given: Partial<Task> & { preferredTime?: string },
  ): Task => {
    const { preferredTime = null, ...fields } = given
    return {
      id: `habit-${name}-${number}`,
      title: `${name[0]!.toUpperCase()}${name.slice(1)}`,
      status: 'todo',
      priority: 'none',
      autoSchedule: true,
      autoSplit: false,
      locked: false,
      dueAt: due,
      startAfter: opens,
      estimateMinutes: minutes,
      minSessionMinutes: 5,
      maxSessionMinutes: 60,
      cooldownMinutes: 5,
      windows: null,
      recurring: { notAfter: due, series: name, doneAt: null, preferredTime },
      ...fields,
    }
  }
  /** The tasks of each week that are due more than an hour from now. */
  const weeksOf = (make: (week: number) => Task[]) =>
    range(2).map((week) => make(week).filter(({ dueAt }) => dueAt! > now + 60 * MINUTE))
  return [
    {
      name: 'gym',
      // Neighbouring slices of the week share a day.
      weeks: weeksOf((week) =>
        range(3).map((i) =>
          occurrence(
            'gym',
            3 * week + i,
            60,
            [at(7 * week + 2 * i, '00:00'), at(7 * week + Math.min(6, 2 * i + 2), '23:59')],
            { windows: EVENINGS, preferredTime: '18:00' },
          ),
        ),
      ),
    },
    {
      name: 'lunch',
      weeks: weeksOf((week) =>
        range(5).map((i) =>
          occurrence(
            'lunch',
            5 * week + i,
            45,
            [at(7 * week + i, '11:30'), at(7 * week + i, '14:00')],
            { windows: LUNCHTIME, preferredTime: '12:30' },
          ),
        ),
      ),
    },
    {
      name: 'report',
      weeks: weeksOf((week) => [
        occurrence('report', week, 30, [at(7 * week + 2, '09:00'), at(7 * week + 4, '17:00')], {
          priority: 'medium',
        }),
      ]),
    },
  ]
}
