import {
  complete,
  completionAt,
  type Names,
  type Span,
  type Suggestion,
} from '@daywright/quick-add'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { Swatch } from '../../../ui/badge.tsx'
import { MarkedLine } from './marked-line.tsx'
import { longestLine, onLinesPasted } from './pasted-text.ts'

type Props = {
  text: string
  names: Names
  spans: Span[]
  placeholder: string
  className: string
  /** The accessible name of the input. */
  label?: string
  autoFocus?: boolean
  onChange: (text: string) => void
  onPasteLines: (lines: string[]) => void
  onEscape?: () => void
  /** Without it, Enter submits the form. */
  onEnter?: () => void
}

/** The input, with the recognised words marked, and suggestions of spaces, projects and labels. */
export function LineInput(props: Props) {
  const { text, names, spans, label = 'Task', onChange, onPasteLines, ...others } = props
  const { onEscape, onEnter, ...look } = others
  const input = useRef<HTMLInputElement>(null)
  const [scroll, setScroll] = useState(0)
  const [caret, setCaret] = useState(0)
  const [place, setPlace] = useState(0)
  const [isDismissed, setDismissed] = useState(false)
  const [hasFocus, setFocus] = useState(look.autoFocus ?? false)
  const id = useId()
  const completion =
    isDismissed || !hasFocus ? undefined : completionAt(text, Math.min(caret, text.length), names)
  const found = completion?.found ?? []
  const chosen = Math.min(place, found.length - 1)

  function pick(suggestion: Suggestion | undefined) {
    if (!completion || !suggestion) return
    const next = complete(text, completion, suggestion)
    onChange(next)
    const at = completion.from + suggestion.name.length + 2
    setCaret(at)
    setPlace(0)
    requestAnimationFrame(() => {
      input.current?.focus()
      input.current?.setSelectionRange(at, at)
    })
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && completion) setDismissed(true)
    else if (event.key === 'Escape' && onEscape) onEscape()
    else if (!completion && event.key === 'Enter' && onEnter && isPlain(event)) onEnter()
    else if (!completion) return
    else if (event.key === 'ArrowDown') setPlace((chosen + 1) % found.length)
    else if (event.key === 'ArrowUp') setPlace((chosen + found.length - 1) % found.length)
    else if (event.key === 'Enter' || event.key === 'Tab') pick(found[chosen])
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="relative min-w-0 flex-1">
      <MarkedLine text={text} spans={spans} scroll={scroll} className={look.className} />
      <input
        ref={input}
        role="combobox"
        aria-label={label}
        aria-expanded={completion !== undefined}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={completion && `${id}-${chosen}`}
        autoComplete="off"
        spellCheck="false"
        {...(onEnter && { enterKeyHint: 'next' })}
        {...look}
        className={`relative ${look.className} bg-transparent`}
        maxLength={longestLine}
        value={text}
        onKeyDown={onKeyDown}
        onPaste={(event) => onLinesPasted(event, text, onPasteLines)}
        onFocus={() => setFocus(true)}
        onBlur={() => setFocus(false)}
        onScroll={({ currentTarget }) => setScroll(currentTarget.scrollLeft)}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
        onChange={({ target }) => {
          setDismissed(false)
          setPlace(0)
          setCaret(target.selectionStart ?? target.value.length)
          onChange(target.value)
        }}
      />
      <NameList id={id} isShown={completion !== undefined} {...{ found, chosen }} onPick={pick} />
    </div>
  )
}

/** Not with a modifier, and not the end of a composition. */
const isPlain = ({ ctrlKey, metaKey, nativeEvent }: KeyboardEvent) =>
  !ctrlKey && !metaKey && !nativeEvent.isComposing

type NameListProps = {
  id: string
  isShown: boolean
  found: Suggestion[]
  chosen: number
  onPick: (suggestion: Suggestion) => void
}

/** The spaces, projects and labels that fit the typed name. */
const NameList = ({ id, isShown, found, chosen, onPick }: NameListProps) => (
  <div
    id={id}
    role="listbox"
    aria-label="Names"
    hidden={!isShown}
    className="float absolute top-full left-2 z-50 w-56 p-1"
  >
    {found.map((suggestion, index) => (
      <div
        key={`${suggestion.kind} ${suggestion.id}`}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === chosen}
        data-highlighted={index === chosen || undefined}
        className="menu-item"
        onPointerDown={(event) => {
          event.preventDefault()
          onPick(suggestion)
        }}
      >
        <Swatch color={suggestion.color ?? null} isRound={suggestion.kind !== 'space'} />
        <span className="min-w-0 flex-1 truncate">{suggestion.name}</span>
        <span className="text-2xs text-ink-3">{suggestion.kind}</span>
      </div>
    ))}
  </div>
)
