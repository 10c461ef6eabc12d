import { Check, Clock, Plus, Play, SkipForward, Square, Sunrise } from 'lucide-react'
import type { Choice } from './block-choices.ts'

const icons = {
  start: Play,
  stop: Square,
  done: Check,
  extend: Plus,
  'not-now': Clock,
  tomorrow: Sunrise,
  'skip-day': SkipForward,
}

export function ChoiceIcon({ id }: { id: Choice['id'] }) {
  const Icon = icons[id]
  return <Icon size={14} aria-hidden="true" />
}
