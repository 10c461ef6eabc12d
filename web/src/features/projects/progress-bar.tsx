import { hue } from '../../ui/badge.tsx'

type Props = { label: string; done: number; all: number; color: string }

export function ProgressBar({ label, done, all, color }: Props) {
  const percent = all === 0 ? 0 : Math.round((done / all) * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={`${done} of ${all} tasks done`}
      className="hue h-1.5 overflow-hidden rounded-full bg-sunken"
      style={hue(color)}
    >
      <div className="h-full rounded-full bg-bar" style={{ width: `${percent}%` }} />
    </div>
  )
}
