import { useId } from 'react'
import { hue } from './badge.tsx'

/** The colours to choose from; the theme sets their lightness. */
export const colors = {
  Red: '#dc4a3d',
  Orange: '#d97a1e',
  Yellow: '#c4a01a',
  Green: '#4f9d4a',
  Teal: '#1f9d94',
  Blue: '#3b82d6',
  Indigo: '#6b6fe0',
  Violet: '#9a5bd6',
  Pink: '#d6549a',
  Grey: '#8a8680',
}

type Props = { label: string; value: string; onChange: (color: string) => void }

export function ColorField({ label, value, onChange }: Props) {
  // Two fields with the same label must not share a radio group.
  const group = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-xs font-medium text-ink-2">{label}</legend>
      <div className="flex flex-wrap">
        {Object.entries(colors).map(([name, color]) => (
          <label key={color} className="relative grid size-7 place-content-center" data-tip={name}>
            <input
              type="radio"
              name={group}
              aria-label={name}
              className="peer absolute inset-0 size-full appearance-none rounded-control"
              checked={value.toLowerCase() === color}
              onChange={() => onChange(color)}
            />
            <span
              aria-hidden="true"
              style={hue(color)}
              className="hue pointer-events-none size-[18px] rounded-[5px] bg-bar outline-offset-2 outline-ink peer-checked:outline-2"
            />
          </label>
        ))}
      </div>
    </fieldset>
  )
}
