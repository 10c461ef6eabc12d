import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../data/toasts.ts'

type Props = { title: string; secret: string; onDone: () => void }

/** A secret that cannot be shown again. */
export function ShownOnce({ title, secret, onDone }: Props) {
  const [isCopied, setCopied] = useState(false)

  async function copy() {
    try {
      await navigator.clipboard.writeText(secret)
      setCopied(true)
    } catch {
      toast('The browser blocked copying. Select the text and copy it yourself.', {
        tone: 'error',
      })
    }
  }

  return (
    <section
      aria-label={title}
      className="mb-6 flex flex-col gap-3 rounded-dialog border border-line-strong bg-raised p-4"
    >
      <div role="status">
        <h3 className="font-semibold">{title}</h3>
        <p className="text-ink-2">You won’t see it again. Keep it somewhere safe.</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <input
          readOnly
          aria-label={title}
          className="input min-w-40 flex-1 font-mono text-xs"
          value={secret}
          onFocus={({ target }) => target.select()}
        />
        <Button look="primary" onClick={() => void copy()}>
          {isCopied ? (
            <Check size={14} aria-hidden="true" />
          ) : (
            <Copy size={14} aria-hidden="true" />
          )}
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        <Button onClick={onDone}>Done</Button>
      </div>
    </section>
  )
}
