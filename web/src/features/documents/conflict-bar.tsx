import { Button } from '../../ui/button.tsx'

type Props = { mine: string; theirs: string; onSettle: (text: string) => void }

/** Both texts, one after the other, for the user to merge. */
const both = (mine: string, theirs: string) => `${mine.trimEnd()}\n\n---\n\n${theirs}`

export function ConflictBar({ mine, theirs, onSettle }: Props) {
  return (
    <div
      role="alert"
      className="flex flex-none flex-wrap items-center gap-2 border-b bg-sunken px-6 py-2"
    >
      <p className="min-w-56 flex-1">
        <strong className="font-semibold">Changed elsewhere while you were writing here.</strong>{' '}
        <span className="text-ink-2">Nothing is saved until you choose.</span>
      </p>
      <Button onClick={() => onSettle(both(mine, theirs))}>Keep both</Button>
      <Button onClick={() => onSettle(theirs)}>Use the other version</Button>
      <Button look="primary" onClick={() => onSettle(mine)}>
        Keep mine
      </Button>
    </div>
  )
}
