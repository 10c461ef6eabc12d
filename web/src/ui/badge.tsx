import type { ReactNode } from 'react'

type Tone = 'quiet' | 'signal' | 'caution' | 'good'
const tones: Record<Tone, string> = {
  quiet: 'text-ink-2',
  signal: 'text-signal-ink',
  caution: 'text-caution',
  good: 'text-good',
}

export const Badge = ({ tone = 'quiet', children }: { tone?: Tone; children: ReactNode }) => (
  <span
    className={`inline-flex h-[18px] items-center gap-1 rounded-[4px] bg-sunken px-1.5 text-2xs font-medium tabular ${tones[tone]}`}
  >
    {children}
  </span>
)

/** The colour of a space, project or label. */
export const Swatch = ({ color, isRound }: { color: string | null; isRound?: boolean }) => (
  <span
    aria-hidden="true"
    className={`hue inline-block size-2 flex-none bg-bar ${isRound ? 'rounded-full' : 'rounded-[2.5px]'}`}
    style={hue(color)}
  />
)

/** Sets the colour of an element of class `hue`; grey for an invalid colour. */
export const hue = (color: string | null | undefined) =>
  ({ '--c': color && /^#[\da-f]{6}$/i.test(color) ? color : '#8a8680' }) as Record<string, string>
