import { X } from 'lucide-react'
import { priorityNames } from '../../data/actions/task-fields.ts'
import { useNow } from '../../time/clock.ts'
import { formatMinutes, formatWhen } from '../../time/format.ts'
import { useZone, type Zone } from '../../time/zone.ts'
import { Swatch } from '../../ui/badge.tsx'
import type { Token } from './parse.ts'

type Props = { tokens: Token[]; onTakeOut: (token: Token) => void }

const names: Record<Token['kind'], string> = {
  due: 'Due',
  start: 'From',
  estimate: 'Takes',
  priority: 'Priority',
  space: 'Space',
  project: 'Project',
  label: 'Label',
  'new label': 'New label',
}

/** The recognised tokens; each can be removed, and is part of the title again. */
export function TokenChips({ tokens, onTakeOut }: Props) {
  const zone = useZone()
  const now = useNow()
  return (
    <ul aria-label="Understood" className="flex flex-wrap gap-1.5">
      {tokens.map((token) => (
        <li key={`${token.kind} ${token.start}`} className="task-chip pr-0.5">
          <span className="font-normal text-ink-3">{names[token.kind]}</span>
          {'value' in token && typeof token.value === 'object' && 'color' in token.value && (
            <Swatch color={token.value.color} isRound={token.kind !== 'space'} />
          )}
          <span>{formatToken(token, zone, now)}</span>
          <button
            type="button"
            aria-label={`Leave “${token.text.trim()}” in the title`}
            className="grid size-5 place-content-center rounded-[4px] text-ink-3 hover:bg-hover hover:text-ink"
            onClick={() => onTakeOut(token)}
          >
            <X size={12} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  )
}

function formatToken(token: Token, zone: Zone, now: Date) {
  switch (token.kind) {
    case 'due':
    case 'start':
      return formatWhen(token.value, zone, now)
    case 'estimate':
      return formatMinutes(token.value)
    case 'priority':
      return priorityNames[token.value]
    case 'new label':
      return token.value
    default:
      return token.value.name
  }
}
