import { Check } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Kbd } from '../../../ui/kbd.tsx'

export type Option = {
  key: string
  name: string
  icon?: ReactNode
  /** A key that picks the option at once. */
  digit?: string
  isChosen?: boolean
  isIndented?: boolean
}

type Props = {
  label: string
  options: Option[]
  /** The placeholder of a search input, which is shown only if this is set. */
  placeholder?: string
  /** Offers to create an option with the typed name, unless one has exactly this name. */
  onNew?: (name: string) => void
  onPick: (key: string) => void
}

/** A list to pick from by typing, arrow keys or pointer. */
export function PickList({ label, options, placeholder, onNew, onPick }: Props) {
  const { text, type, found, isNamed, place, setPlace } = useFoundOptions(options)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const isNew = onNew && !isNamed
  const chosen = Math.min(place, found.length - 1)

  function move(by: number) {
    const next = (chosen + by + found.length) % Math.max(1, found.length)
    setPlace(next)
    list.current?.querySelector(`[data-place="${next}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  function onKeyDown(event: KeyboardEvent) {
    const byDigit = placeholder === undefined && found.find(({ digit }) => digit === event.key)
    const current = found[chosen]
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && current && !(isNew && place === -1)) onPick(current.key)
    else if (event.key === 'Enter' && isNew) onNew(text.trim())
    else if (byDigit) onPick(byDigit.key)
    else return
    event.preventDefault()
  }
  const combobox = {
    'aria-controls': id,
    'aria-activedescendant': found.length > 0 ? `${id}-${chosen}` : undefined,
  }

  return (
    <div className="flex max-h-80 w-60 flex-col">
      {placeholder !== undefined && (
        <input
          role="combobox"
          aria-expanded="true"
          aria-label={label}
          autoFocus
          {...combobox}
          className="mb-1 h-8 flex-none border-b bg-transparent px-2 outline-none"
          placeholder={placeholder}
          value={text}
          onKeyDown={onKeyDown}
          onChange={({ target }) => type(target.value)}
        />
      )}
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={label}
        className="overflow-y-auto outline-none"
        {...(placeholder === undefined && { tabIndex: 0, autoFocus: true, onKeyDown, ...combobox })}
        {...(placeholder === undefined && { 'aria-controls': undefined })}
      >
        {found.map((option, index) => (
          <PickOption
            key={option.key}
            id={`${id}-${index}`}
            option={option}
            place={index}
            isHighlighted={index === chosen}
            onHighlight={setPlace}
            onPick={onPick}
          />
        ))}
      </div>
      {isNew && (
        <button
          type="button"
          className="menu-item hover:bg-hover"
          onClick={() => onNew(text.trim())}
        >
          Create “{text.trim()}”
        </button>
      )}
      {found.length === 0 && !isNew && <p className="px-2 py-1.5 text-ink-3">No results.</p>}
    </div>
  )
}

/** The typed text, the options that contain it, and the highlighted place among them. */
function useFoundOptions(options: Option[]) {
  const [text, setText] = useState('')
  const [place, setPlace] = useState(() =>
    Math.max(
      0,
      options.findIndex((each) => each.isChosen),
    ),
  )
  const words = text.trim().toLowerCase()
  const found = options.filter(({ name }) => name.toLowerCase().includes(words)).slice(0, 200)
  return {
    text,
    type: (typed: string) => {
      setText(typed)
      setPlace(0)
    },
    found,
    /** Whether the typed text is empty or the exact name of an option. */
    isNamed: words === '' || found.some(({ name }) => name.toLowerCase() === words),
    place,
    setPlace,
  }
}

type PickOptionProps = {
  id: string
  option: Option
  place: number
  isHighlighted: boolean
  onHighlight: (place: number) => void
  onPick: (key: string) => void
}

const PickOption = ({ id, option, place, isHighlighted, onHighlight, onPick }: PickOptionProps) => (
  <div
    id={id}
    role="option"
    aria-selected={option.isChosen ?? false}
    data-place={place}
    data-highlighted={isHighlighted || undefined}
    className={`menu-item ${option.isIndented ? 'pl-6' : ''}`}
    onPointerMove={() => onHighlight(place)}
    onClick={() => onPick(option.key)}
  >
    {option.icon}
    <span className="min-w-0 flex-1 truncate">{option.name}</span>
    {option.isChosen && <Check size={14} aria-hidden="true" />}
    {option.digit && <Kbd keys={option.digit} />}
  </div>
)
