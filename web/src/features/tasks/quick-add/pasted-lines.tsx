import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Recognised } from './token-chips.tsx'
import type { QuickAddField } from './use-quick-add.ts'

type Props = { field: QuickAddField; note?: string; onAdded?: () => void }

/** Asks whether to add each pasted line as a task. */
export function PastedLines({ field, note, onAdded }: Props) {
  const { asked, addPasted, joinPasted, dropPasted } = field
  if (asked.length === 0) return undefined
  const count = asked.length === 1 ? '1 task' : `${asked.length} tasks`

  async function addAll() {
    if (await addPasted()) onAdded?.()
  }

  return (
    <Dialog title={`Add ${count}?`} isOpen onClose={dropPasted}>
      <ol className="max-h-80 overflow-y-auto px-4 pb-2" tabIndex={0} aria-label="Pasted tasks">
        {asked.map(({ line, parsed }, index) => (
          // Lines may be equal, and their order does not change.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${index} ${line}`} className="border-b py-1.5">
            <p className="truncate">{parsed.title}</p>
            <Recognised spans={parsed.spans} />
          </li>
        ))}
      </ol>
      {note && <p className="px-4 pb-2 text-xs text-ink-3">{note}</p>}
      <div className="flex flex-wrap justify-end gap-2 border-t px-4 py-2.5">
        <Button look="quiet" onClick={dropPasted}>
          Cancel
        </Button>
        <Button onClick={joinPasted}>Add as one task</Button>
        <Button look="primary" autoFocus onClick={() => void addAll()}>
          Add {count}
        </Button>
      </div>
    </Dialog>
  )
}
