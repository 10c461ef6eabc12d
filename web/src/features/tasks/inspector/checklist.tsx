import type { ChecklistItem, FullTask } from '@daywright/contract'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react'
import { addItem, changeItem, orderItems, removeItem } from '../../../data/actions/checklist.ts'
import { perform } from '../../../data/run-mutation.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { useDraft } from '../../../ui/use-draft.ts'
import { Section } from './section.tsx'

export function Checklist({ task }: { task: FullTask }) {
  const [title, setTitle] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const items = task.checklistItems.toSorted((one, other) => one.sortOrder - other.sortOrder)
  const ticked = items.filter(({ completed }) => completed).length

  function add(event: SubmitEvent) {
    event.preventDefault()
    const words = title.trim()
    if (words === '') return
    setTitle('')
    void perform(addItem(task.id, words)).then(({ ok }) => !ok && setTitle(words))
  }
  function move(item: ChecklistItem, by: number) {
    const from = items.indexOf(item)
    const to = from + by
    if (to < 0 || to >= items.length) return
    const ordered = items.filter((each) => each !== item).toSpliced(to, 0, item)
    void perform(orderItems(task.id, ordered))
    requestAnimationFrame(() =>
      list.current
        ?.querySelector<HTMLElement>(`[data-item="${item.id}"] input[type=text]`)
        ?.focus(),
    )
  }

  return (
    <Section title="Checklist" {...(items.length > 0 && { count: `${ticked} of ${items.length}` })}>
      {items.length > 0 && (
        <>
          <div
            role="presentation"
            className="mb-1.5 h-[3px] overflow-hidden rounded-full bg-sunken"
          >
            <div
              className="h-full bg-ink-2 transition-[width]"
              style={{ width: `${(ticked / items.length) * 100}%` }}
            />
          </div>
          <ul ref={list}>
            {items.map((item, index) => (
              <Item
                key={item.id}
                item={item}
                isFirst={index === 0}
                isLast={index === items.length - 1}
                onMove={(by) => move(item, by)}
              />
            ))}
          </ul>
        </>
      )}
      <form onSubmit={add} className="flex items-center gap-2">
        <Plus size={16} aria-hidden="true" className="text-ink-3" />
        <input
          aria-label="Add a step"
          placeholder="Add a step"
          maxLength={500}
          className="h-7 flex-1 bg-transparent outline-none"
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
      </form>
    </Section>
  )
}

type ItemProps = {
  item: ChecklistItem
  isFirst: boolean
  isLast: boolean
  onMove: (by: number) => void
}

function Item({ item, isFirst, isLast, onMove }: ItemProps) {
  const draft = useDraft(item.title, (title) => {
    if (title.trim() !== '') void perform(changeItem(item, { title: title.trim() }))
  })
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.altKey && event.key === 'ArrowUp') onMove(-1)
    else if (event.altKey && event.key === 'ArrowDown') onMove(1)
    else return draft.onKeyDown(event)
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <li
      data-item={item.id}
      className="group -mx-1 flex items-center gap-2 rounded-control px-1 hover:bg-hover"
    >
      <Checkbox
        label={`Done: ${item.title}`}
        isLabelHidden
        checked={item.completed}
        onChange={({ target }) => void perform(changeItem(item, { completed: target.checked }))}
      />
      <input
        type="text"
        aria-label={`Step: ${item.title}`}
        maxLength={500}
        className={`h-7 min-w-0 flex-1 rounded-[4px] bg-transparent px-1 outline-none focus:bg-raised focus:outline-2 focus:outline-[var(--focus)] ${item.completed ? 'text-ink-3 line-through' : ''}`}
        value={draft.text}
        onChange={({ target }) => draft.type(target.value)}
        onBlur={draft.finish}
        onKeyDown={onKeyDown}
      />
      <div className="flex on-hover">
        <IconButton
          label={`Move “${item.title}” up`}
          keys="alt+up"
          className="size-6 disabled:invisible"
          disabled={isFirst}
          icon={<ArrowUp size={13} />}
          onClick={() => onMove(-1)}
        />
        <IconButton
          label={`Move “${item.title}” down`}
          keys="alt+down"
          className="size-6 disabled:invisible"
          disabled={isLast}
          icon={<ArrowDown size={13} />}
          onClick={() => onMove(1)}
        />
        <IconButton
          label={`Remove “${item.title}”`}
          className="size-6"
          icon={<X size={13} />}
          onClick={() => void perform(removeItem(item))}
        />
      </div>
    </li>
  )
}
