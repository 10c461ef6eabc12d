// Decisions on blocks that ended without work.
import type { ListedTimeBlock, MissedAction } from '@daywright/contract'
import { now } from '../../time/clock.ts'
import { api } from '../api.ts'
import type { Action } from '../action.ts'
import { keys } from '../keys.ts'
import { revertRequest } from '../undo.ts'
import { hideBlocks, patchBlock } from './block-cache.ts'
import { type Replanned, replan, sayWhere, undoReplan } from './replan.ts'

const around = [keys.blocks, keys.planner, keys.tasks, ['task']]

/** Whether the planner has already cancelled the missed block and planned its minutes again. */
export const isReplanned = ({ status }: ListedTimeBlock) => status === 'cancelled'

export const decideOnMissed = (
  blocks: ListedTimeBlock[],
  action: MissedAction,
): Action<Replanned> => {
  // `plan-again` changes nothing for a block that the planner has already planned again.
  const changed = action === 'plan-again' ? blocks.filter((block) => !isReplanned(block)) : blocks
  const needsPlan =
    action === 'plan-again' ? changed.length > 0 : blocks.some((block) => isReplanned(block))
  const [first] = changed
  return {
    says: (replanned) => describeDecision(blocks, action, replanned, needsPlan),
    expect: (expect) => {
      const ids = new Set(blocks.map(({ id }) => id))
      if (action === 'done') {
        for (const { id } of blocks) {
          patchBlock(expect, id, { status: 'completed', cancelReason: null, completedAt: now() })
        }
      } else hideBlocks(expect, ({ id }) => ids.has(id))
    },
    send: async () => {
      await api.timeBlocks.decideOnMissed(
        action,
        blocks.map(({ id }) => id),
      )
      return needsPlan ? replan(blocks[0]?.taskId ?? null) : undefined
    },
    refreshes: around,
    ...(first && {
      undo: (replanned) => ({
        send: async () => {
          await undoReplan(replanned)
          await revertRequest(first.id, ['status', 'cancelReason'])
        },
        refreshes: around,
      }),
    }),
  }
}

function describeDecision(
  blocks: ListedTimeBlock[],
  action: MissedAction,
  replanned: Replanned,
  needsPlan: boolean,
) {
  const [first] = blocks
  const name = blocks.length === 1 ? `“${first?.title}”` : `${blocks.length} blocks`
  if (action === 'done') return `Marked ${name} as done.`
  if (action === 'drop') return `Dropped ${name}.`
  if (!needsPlan) return ''
  if (blocks.length === 1 && first && replanned) return sayWhere(replanned, first) ?? ''
  return replanned ? `Rescheduled ${name}.` : `The next plan finds another time for ${name}.`
}
