import type { SchedulePreference } from '@daywright/contract'
import { Trash2 } from 'lucide-react'
import { deletePreference, updatePreference } from '../../../data/actions/schedule-preferences.ts'
import { perform } from '../../../data/run-mutation.ts'
import { formatHours } from '../../../time/format.ts'
import { IconButton } from '../../../ui/button.tsx'
import { toast } from '../../../data/toasts.ts'
import { useDraft } from '../../../ui/use-draft.ts'
import { HoursForm } from './hours-form.tsx'
import { WeekPainter } from './week-painter.tsx'
import { minutesOf, type Week, weekOf, windowsFrom } from './week-ranges.ts'

const mostWindows = 50

type Props = { preference: SchedulePreference; onDeleted: () => void }

export function PreferenceEditor({ preference, onDeleted }: Props) {
  const week = weekOf(preference.windows)

  function save(next: Week) {
    const windows = windowsFrom(next)
    if (windows.length === 0)
      return void toast('A schedule needs at least half an hour.', { tone: 'error' })
    if (windows.length > mostWindows)
      return void toast(`A schedule can have at most ${mostWindows} windows.`, { tone: 'error' })
    void perform(updatePreference(preference, { windows }, `Changed “${preference.name}”.`))
  }
  const name = useDraft(preference.name, (typed) => {
    const next = typed.trim()
    if (next === '' || next === preference.name) return
    void perform(updatePreference(preference, { name: next }, `Renamed to “${next}”.`))
  })
  async function remove() {
    const { ok } = await perform(deletePreference(preference))
    if (ok) onDeleted()
  }

  return (
    <section aria-label={preference.name} className="flex flex-col gap-5">
      <div className="flex items-center gap-1">
        <input
          aria-label="Name"
          className="min-w-0 flex-1 bg-transparent text-base font-semibold outline-offset-4"
          value={name.text}
          maxLength={100}
          onChange={({ target }) => name.type(target.value)}
          onBlur={name.finish}
          onKeyDown={name.onKeyDown}
        />
        <span className="mr-2 text-ink-3 tabular">{formatHours(minutesOf(week))} a week</span>
        <IconButton
          label={`Delete “${preference.name}”`}
          icon={<Trash2 size={15} />}
          onClick={() => void remove()}
        />
      </div>
      <WeekPainter label={`Hours of “${preference.name}”`} week={week} onPaint={save} />
      <p className="-mt-3 text-xs text-ink-3">
        Drag to paint, drag again to erase. By keyboard: arrows move, Space paints, Shift and arrows
        paint a range.
      </p>
      <details>
        <summary className="w-fit font-medium">Enter exact times</summary>
        <div className="mt-3">
          <HoursForm week={week} onChange={save} />
        </div>
      </details>
    </section>
  )
}
