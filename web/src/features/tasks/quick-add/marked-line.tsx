import type { Span } from '@daywright/quick-add'

type Props = { text: string; spans: Span[]; scroll: number; className: string }

/** The recognised words of a line, marked behind the input that shows the text itself. */
export function MarkedLine({ text, spans, scroll, className }: Props) {
  let end = 0
  return (
    <div
      aria-hidden="true"
      className={`${className} pointer-events-none absolute inset-0 flex items-center overflow-hidden`}
    >
      <span className="whitespace-pre text-transparent" style={{ marginLeft: -scroll }}>
        {spans.map((span) => {
          const before = text.slice(end, span.start)
          end = span.end
          return [
            before,
            <mark key={span.start} className="rounded-[3px] bg-press text-transparent">
              {span.text}
            </mark>,
          ]
        })}
      </span>
    </div>
  )
}
