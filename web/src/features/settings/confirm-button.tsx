import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'

type Props = { label: string; question: string; onConfirm: () => void; children: ReactNode }
const patienceMs = 5000

/** For actions without undo: the second press confirms. */
export function ConfirmButton({ label, question, onConfirm, children }: Props) {
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    if (!isAsking) return
    const timer = setTimeout(() => setAsking(false), patienceMs)
    return () => clearTimeout(timer)
  }, [isAsking])
  return (
    <Button
      look="danger"
      aria-label={isAsking ? question : label}
      onBlur={() => setAsking(false)}
      onClick={() => {
        setAsking(!isAsking)
        if (isAsking) onConfirm()
      }}
    >
      {isAsking ? question : children}
    </Button>
  )
}
