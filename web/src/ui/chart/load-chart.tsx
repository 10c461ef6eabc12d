// Planned against available time, day by day.
import { Group } from '@visx/group'
import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import type { DayLoad } from '../../data/fortnight.ts'
import { formatDay, formatMinutes } from '../../time/format.ts'
import { startOfDay, type Zone } from '../../time/zone.ts'
import { Axes, hourSteps } from './axes.tsx'
import { ChartTable } from './chart-table.tsx'
import { Legend } from './legend.tsx'
import { useWidth } from './use-width.ts'

const margin = { top: 8, right: 0, bottom: 28, left: 30 }
const letters = ['', 'M', 'T', 'W', 'T', 'F', 'S', 'S']

type Props = { caption: string; days: DayLoad[]; zone: Zone; height?: number }

export function LoadChart({ caption, days, zone, height = 200 }: Props) {
  const [ref, width] = useWidth()
  const innerWidth = Math.max(0, width - margin.left - margin.right)
  const innerHeight = height - margin.top - margin.bottom
  const byKey = new Map(days.map((each) => [each.day.toString(), each]))
  const most = Math.max(
    60,
    ...days.map((each) => Math.max(each.capacityMinutes, each.plannedMinutes)),
  )
  const x = scaleBand({ domain: [...byKey.keys()], range: [0, innerWidth], padding: 0.28 })
  const y = scaleLinear({ domain: [0, hourSteps(most).at(-1) ?? most], range: [innerHeight, 0] })
  const nameOf = (key: string) => {
    const day = byKey.get(key)?.day
    if (!day) return ''
    return innerWidth / days.length < 34
      ? (letters[day.dayOfWeek] ?? '')
      : `${letters[day.dayOfWeek]} ${day.day}`
  }
  const dayName = (day: Temporal.PlainDate) => formatDay(startOfDay(day, zone), zone)

  return (
    <figure>
      <div ref={ref} aria-hidden="true" style={{ height }}>
        {width > 0 && (
          <svg width={width} height={height} className="block">
            <Group left={margin.left} top={margin.top}>
              <Axes
                x={x}
                y={y}
                width={innerWidth}
                height={innerHeight}
                nameOf={nameOf}
                isStrong={(key) => key === days[0]?.day.toString()}
              />
              {days.map((each) => (
                <DayBar
                  key={each.day.toString()}
                  {...each}
                  name={dayName(each.day)}
                  left={x(each.day.toString()) ?? 0}
                  width={x.bandwidth()}
                  height={innerHeight}
                  y={y}
                />
              ))}
            </Group>
          </svg>
        )}
      </div>
      <Caption caption={caption} days={days} dayName={dayName} />
    </figure>
  )
}

type DayBarProps = DayLoad & {
  name: string
  left: number
  width: number
  height: number
  y: (minutes: number) => number
}

/** The available time of a day, the planned time within it, and the planned time beyond it. */
function DayBar({ capacityMinutes, plannedMinutes, name, left, width, height, y }: DayBarProps) {
  const inside = Math.min(capacityMinutes, plannedMinutes)
  const common = { x: left, width, rx: 2.5 }
  return (
    <g data-tip={`${name}: ${formatMinutes(plannedMinutes)} of ${formatMinutes(capacityMinutes)}`}>
      <rect x={left} width={width} y={0} height={height} fill="transparent" />
      <Bar
        {...common}
        y={y(capacityMinutes)}
        height={height - y(capacityMinutes)}
        fill="var(--sunken)"
        stroke="var(--line-strong)"
        strokeWidth={capacityMinutes > 0 ? 1 : 0}
      />
      <Bar {...common} y={y(inside)} height={height - y(inside)} fill="var(--chart-ink)" />
      {plannedMinutes > inside && (
        <Bar
          {...common}
          y={y(plannedMinutes)}
          height={y(inside) - y(plannedMinutes)}
          fill="var(--signal)"
        />
      )}
    </g>
  )
}

type CaptionProps = {
  caption: string
  days: DayLoad[]
  dayName: (day: Temporal.PlainDate) => string
}

const Caption = ({ caption, days, dayName }: CaptionProps) => (
  <figcaption className="mt-2">
    <Legend
      items={[
        { label: 'Planned', className: 'bg-(--chart-ink)' },
        {
          label: 'Free in your working hours',
          className: 'border border-line-strong bg-sunken',
        },
        ...(days.some((each) => each.plannedMinutes > each.capacityMinutes)
          ? [{ label: 'Outside working hours', className: 'bg-signal' }]
          : []),
      ]}
    />
    <ChartTable
      caption={caption}
      columns={['Day', 'Planned', 'Working time']}
      rows={days.map(({ day, plannedMinutes, capacityMinutes }) => [
        dayName(day),
        formatMinutes(plannedMinutes),
        formatMinutes(capacityMinutes),
      ])}
    />
  </figcaption>
)
