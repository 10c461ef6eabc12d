// Planned hours per day, and the open hours that remain after each day if the plan is kept.
import { Group } from '@visx/group'
import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar, LinePath } from '@visx/shape'
import { formatDay, formatMinutes } from '../../time/format.ts'
import { startOfDay, type Zone } from '../../time/zone.ts'
import { hue } from '../badge.tsx'
import { Axes, hourSteps } from './axes.tsx'
import { ChartTable } from './chart-table.tsx'
import { Legend } from './legend.tsx'
import { useWidth } from './use-width.ts'

export type BurnDay = { day: Temporal.PlainDate; plannedMinutes: number; leftMinutes: number }

const margin = { top: 8, right: 6, bottom: 28, left: 30 }
const letters = ['', 'M', 'T', 'W', 'T', 'F', 'S', 'S']
type Props = { caption: string; days: BurnDay[]; color: string; zone: Zone; height?: number }

export function BurnChart({ caption, days, color, zone, height = 170 }: Props) {
  const [ref, width] = useWidth()
  const innerWidth = Math.max(0, width - margin.left - margin.right)
  const innerHeight = height - margin.top - margin.bottom
  const names = new Map(days.map(({ day }) => [day.toString(), letters[day.dayOfWeek] ?? '']))
  const most = Math.max(60, ...days.map((each) => Math.max(each.leftMinutes, each.plannedMinutes)))
  const x = scaleBand({ domain: [...names.keys()], range: [0, innerWidth], padding: 0.3 })
  const y = scaleLinear({ domain: [0, hourSteps(most).at(-1) ?? most], range: [innerHeight, 0] })
  const middle = ({ day }: BurnDay) => (x(day.toString()) ?? 0) + x.bandwidth() / 2
  const dayName = (day: Temporal.PlainDate) => formatDay(startOfDay(day, zone), zone)

  return (
    <figure className="hue" style={hue(color)}>
      <div ref={ref} aria-hidden="true" style={{ height }}>
        {width > 0 && (
          <svg width={width} height={height} className="block">
            <Group left={margin.left} top={margin.top}>
              <Axes
                x={x}
                y={y}
                width={innerWidth}
                height={innerHeight}
                nameOf={(key) => names.get(key) ?? ''}
                isStrong={(key) => key === days[0]?.day.toString()}
              />
              {days.map(({ day, plannedMinutes, leftMinutes }) => (
                <g
                  key={day.toString()}
                  data-tip={`${dayName(day)}: ${formatMinutes(plannedMinutes)} planned, ${formatMinutes(leftMinutes)} left`}
                >
                  <rect
                    x={x(day.toString()) ?? 0}
                    width={x.bandwidth()}
                    y={0}
                    height={innerHeight}
                    fill="transparent"
                  />
                  <Bar
                    x={x(day.toString()) ?? 0}
                    width={x.bandwidth()}
                    y={y(plannedMinutes)}
                    height={innerHeight - y(plannedMinutes)}
                    rx={2.5}
                    fill="var(--bar)"
                  />
                </g>
              ))}
              <LinePath
                data={days}
                x={middle}
                y={({ leftMinutes }) => y(leftMinutes)}
                stroke="var(--ink)"
                strokeWidth={1.75}
                strokeLinejoin="round"
                pointerEvents="none"
              />
            </Group>
          </svg>
        )}
      </div>
      <figcaption className="mt-2">
        <Legend
          items={[
            { label: 'Planned', className: 'bg-bar' },
            { label: 'Open after that day', className: 'h-[2px]! w-3.5! bg-ink' },
          ]}
        />
        <ChartTable
          caption={caption}
          columns={['Day', 'Planned', 'Still open']}
          rows={days.map(({ day, plannedMinutes, leftMinutes }) => [
            dayName(day),
            formatMinutes(plannedMinutes),
            formatMinutes(leftMinutes),
          ])}
        />
      </figcaption>
    </figure>
  )
}
