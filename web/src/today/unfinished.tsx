import type { ListedTimeBlock } from '@daywright/contract'
import { completeBlock, removeBlock } from '../data/actions/blocks.ts'
import { perform } from '../data/perform.ts'
import { formatMinutes } from '../time/format.ts'
import { minutesBetween } from '../time/zone.ts'
import { Button } from '../ui/button.tsx'

type Props = { blocks: ListedTimeBlock[]; onOpen: (taskId: string) => void }

/** Yesterday’s blocks that need a decision: mark them done, or plan them again. */
export function Unfinished({ blocks, onOpen }: Props) {
  if (blocks.length === 0) return undefined
  return (
    <section aria-label="Unfinished from yesterday" className="rounded-[10px] border px-4 py-3">
      <h2 className="mb-1 text-xs font-semibold">Unfinished from yesterday</h2>
      <ul>
        {blocks.map((block) => {
          const { taskId } = block
          return (
            <li key={block.id} className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1">
              <button
                type="button"
                className="min-w-0 flex-1 basis-40 truncate text-left hover:underline"
                disabled={taskId === null}
                onClick={() => taskId && onOpen(taskId)}
              >
                {block.task?.title ?? block.title}{' '}
                <span className="text-xs text-ink-3 tabular">
                  {formatMinutes(minutesBetween(block.startAt, block.endAt))}
                </span>
              </button>
              <div className="flex gap-1 max-md:-ml-2.5">
                <Button look="quiet" onClick={() => void perform(completeBlock(block))}>
                  Mark done
                </Button>
                <Button onClick={() => void perform(removeBlock(block))}>Reschedule</Button>
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
