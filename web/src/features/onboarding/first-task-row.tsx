import type { Names, QuickAdd } from '@daywright/quick-add'
import { formatMinutes } from '../../time/format.ts'
import { LineInput } from '../tasks/quick-add/line-input.tsx'
import { Recognised } from '../tasks/quick-add/token-chips.tsx'
import type { Row } from './first-rows.ts'

type Props = {
  row: Row
  number: number
  hint: string
  names: Names
  parsed: QuickAdd
  onChange: (changes: Partial<Row>) => void
  onPasteLines: (lines: string[]) => void
  onEnter: () => void
}

const estimates = [15, 30, 60, 90, 120, 240]

/** A task in plain words, and a choice of its length, which is disabled if the words include it. */
export function FirstTaskRow(props: Props) {
  const { row, number, hint, names, parsed, onChange, onPasteLines, onEnter } = props
  const minutes = parsed.estimateMinutes ?? row.minutes
  const choices = [...new Set([...estimates, minutes])].toSorted((one, other) => one - other)
  return (
    <li>
      <div className="flex gap-2">
        <LineInput
          label={`Task ${number}`}
          className="input input-large"
          placeholder={hint}
          text={row.text}
          names={names}
          spans={parsed.spans}
          autoFocus={number === 1}
          onChange={(text) => onChange({ text })}
          onPasteLines={onPasteLines}
          onEnter={onEnter}
        />
        <select
          aria-label={`How long task ${number} takes`}
          className="input input-large w-28 flex-none"
          value={minutes}
          disabled={parsed.estimateMinutes !== undefined}
          onChange={({ target }) => onChange({ minutes: Number(target.value) })}
        >
          {choices.map((each) => (
            <option key={each} value={each}>
              {formatMinutes(each)}
            </option>
          ))}
        </select>
      </div>
      {parsed.spans.length > 0 && (
        <div className="px-1 pt-1">
          <p className="truncate text-xs text-ink-2">
            <span className="text-ink-3">Title</span> {parsed.title || 'None yet'}
          </p>
          <Recognised spans={parsed.spans} />
        </div>
      )}
    </li>
  )
}
