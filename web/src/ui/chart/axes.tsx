import { AxisBottom, AxisLeft } from '@visx/axis'
import type { scaleBand, scaleLinear } from '@visx/scale'
import { formatHours } from '../../time/format.ts'

type Props = {
  x: ReturnType<typeof scaleBand<string>>
  y: ReturnType<typeof scaleLinear<number>>
  height: number
  width: number
  /** The label of a day; empty for none. */
  nameOf: (key: string) => string
  isStrong?: (key: string) => boolean
}

/** The ticks of the axis in minutes: whole hours, few enough to be readable. */
export function hourSteps(mostMinutes: number) {
  const hours = Math.max(1, Math.ceil(mostMinutes / 60))
  const step = [1, 2, 4, 8, 16, 32, 64].find((each) => hours / each <= 4) ?? 128
  const count = Math.ceil(hours / step)
  return Array.from({ length: count + 1 }, (_, index) => index * step * 60)
}

export const Axes = ({ x, y, height, width, nameOf, isStrong }: Props) => (
  <>
    {hourSteps(y.domain()[1] ?? 0).map((minutes) => (
      <line
        key={minutes}
        x1={0}
        x2={width}
        y1={y(minutes)}
        y2={y(minutes)}
        stroke="var(--line)"
        strokeWidth={1}
      />
    ))}
    <AxisLeft
      scale={y}
      tickValues={hourSteps(y.domain()[1] ?? 0)}
      tickFormat={(minutes) => formatHours(Number(minutes))}
      hideAxisLine
      hideTicks
      tickLabelProps={() => ({
        className: 'chart-text',
        textAnchor: 'end',
        dx: '-0.2em',
        dy: '0.33em',
      })}
    />
    <AxisBottom
      scale={x}
      top={height}
      tickFormat={nameOf}
      hideTicks
      numTicks={x.domain().length}
      stroke="var(--line-strong)"
      tickLabelProps={(key) => ({
        className: isStrong?.(key) ? 'chart-text chart-text-strong' : 'chart-text',
        textAnchor: 'middle',
        dy: '0.35em',
      })}
    />
  </>
)
