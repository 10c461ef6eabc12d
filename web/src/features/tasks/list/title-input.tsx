import { useRef, useState } from 'react'

type Props = {
  title: string
  /** Called with undefined if the title is to stay as it is. */
  onDone: (title: string | undefined) => void
}

export function TitleInput({ title, onDone }: Props) {
  const [text, setText] = useState(title)
  const isOver = useRef(false)

  function finish(isKept: boolean) {
    // Enter and Escape may be followed by a blur event, which must not finish again.
    if (isOver.current) return
    isOver.current = true
    const words = text.trim()
    onDone(isKept && words !== '' && words !== title ? words : undefined)
  }
  return (
    <input
      autoFocus
      aria-label="Title"
      className="-ml-1 h-6 w-full min-w-0 rounded-[4px] bg-raised px-1 outline-2 outline-[var(--focus)]"
      maxLength={500}
      value={text}
      onFocus={({ target }) => target.select()}
      onChange={({ target }) => setText(target.value)}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish(true)
        else if (event.key === 'Escape') finish(false)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}
