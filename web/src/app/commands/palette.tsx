import { useId, useRef, useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { usePlaces } from './screen-commands.ts'
import { type Command, useAllCommands } from '../../ui/commands/registry.ts'

/** The dialog that finds commands and records by typing. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [place, setPlace] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const commands = useAllCommands().filter(({ isKeyOnly, isDisabled }) => !isKeyOnly && !isDisabled)
  const places = usePlaces(text)
  const found = [...commands.filter((command) => matches(command, text)), ...places]
  const chosen = Math.min(place, found.length - 1)

  function run(command: Command | undefined) {
    if (!command) return
    onClose()
    // Run the command after the dialog has restored the focus, so that the command may move it.
    setTimeout(command.run)
  }
  function move(by: number) {
    const next = (chosen + by + found.length) % Math.max(1, found.length)
    setPlace(next)
    list.current?.querySelector(`[data-place="${next}"]`)?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <Dialog title="Commands" isTitleHidden isOpen onClose={onClose}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        aria-label="Find a command"
        autoFocus
        className="h-12 w-full flex-none border-b bg-transparent px-4 text-base outline-none"
        placeholder="Find a command, task, project or document"
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setPlace(0)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(1)
          else if (event.key === 'ArrowUp') move(-1)
          else if (event.key === 'Enter') run(found[chosen])
          else return
          event.preventDefault()
        }}
      />
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label="Commands"
        className="overflow-y-auto p-1.5"
      >
        {found.map((command, index) => (
          <div
            key={command.id}
            id={`${id}-${index}`}
            data-place={index}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            data-highlighted={index === chosen || undefined}
            className="menu-item min-h-9 px-2.5"
            onPointerMove={() => setPlace(index)}
            onClick={() => run(command)}
            onKeyDown={() => {}}
          >
            <span className="min-w-0 flex-1 truncate">{command.title}</span>
            <span className="text-xs text-ink-3">{command.group}</span>
            {command.keys && <Kbd keys={command.keys} />}
          </div>
        ))}
        {found.length === 0 && <p className="px-3 py-6 text-center text-ink-3">No results.</p>}
      </div>
    </Dialog>
  )
}

function matches({ title, group, words = '' }: Command, text: string) {
  const all = `${title} ${group} ${words}`.toLowerCase()
  return text
    .toLowerCase()
    .split(' ')
    .every((word) => all.includes(word))
}
