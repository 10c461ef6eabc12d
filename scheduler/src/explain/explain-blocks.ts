// The explanation of each block: a sentence about why it is there and, on the first part of a task, one
// about the status of the task.
import type { ExplanationContext } from './explanation-context.ts'
import { createMemory, findOrigins, movedFrom } from './earlier-plan.ts'
import { standing } from './standing.ts'
import { type Why, whyThere } from './why-there.ts'

/** Returns the explanations in the order of the blocks. `noAlternative`: per block, whether it has no
 *  other place before its due date. */
export function explainBlocks(context: ExplanationContext, noAlternative: boolean[]): string[] {
  const { blocks, sessions } = context
  const origins = findOrigins(context)
  const remember = createMemory(context)
  const tight = tightTasks(context, noAlternative)
  const parts = new Int32Array(sessions.length)
  return blocks.map((block, i) => {
    const j = block.task
    const part = ++parts[j]!
    const count = sessions[j]!.length / 2
    const label = count > 1 ? `Part ${part} of ${count}` : ''
    const origin = origins[i]
    const why = whyThere(context, i, part, origin?.isKept === true)
    const first = origin?.isKept
      ? keptSentence(label, remember(origin.block, block, why), why)
      : origin
        ? movedSentence(context, label, origin.block, i, why)
        : sentence(label, why)
    const second = part === 1 ? standing(context, j, tight[j] === 1) : ''
    return second ? `${first} ${second}` : first
  })
}

/** Per task 1 if none of its blocks has an alternative. */
function tightTasks({ blocks, sessions }: ExplanationContext, noAlternative: boolean[]) {
  const tight = new Uint8Array(sessions.length).fill(1)
  for (const [i, { task }] of blocks.entries()) if (!noAlternative[i]) tight[task] = 0
  return tight
}

function sentence(label: string, { text, isClause, lead }: Why) {
  if (label) return `${label}${isClause ? ';' : ','} ${text}.`
  return `${capitalize(lead + text)}.`
}

type Remembered = ReturnType<ReturnType<typeof createMemory>>

function keptSentence(label: string, { since, reason }: Remembered, why: Why) {
  if (reason === null) return since + sentence(label, why)
  if (!label) return since + capitalize(reason)
  const isClause = /^\d/.test(reason)
  return `${since}${label}${isClause ? ';' : ','} ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`
}

function movedSentence(
  context: ExplanationContext,
  label: string,
  from: Parameters<typeof movedFrom>[1],
  block: number,
  why: Why,
) {
  const { compiled, blocks } = context
  const { task, start } = blocks[block]!
  // A block with the same start has only become longer or shorter.
  if (from.startAt === compiled.t0 + start * 60_000) return sentence(label, why)
  const { text, cause } = movedFrom(context, from, task)
  if (!cause) return `${capitalize(text)}. ${sentence(label, why)}`
  const moved = `${label ? `${label}, ${text}` : capitalize(text)}: ${cause}.`
  return why.mustBeSaid ? `${moved} ${sentence('', why)}` : moved
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
