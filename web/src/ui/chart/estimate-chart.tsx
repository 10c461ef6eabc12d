// Two bars for each task: its estimate, and its actual time.
import { scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { formatMinutes } from '../../time/format.ts'
import { ChartTable } from './chart-table.tsx'
import { Legend } from './legend.tsx'
import { useWidth } from './use-width.ts'

type Task = { id: string; title: string; estimateMinutes: number; actualMinutes: number }

const rowHeight = 46
const figureWidth = 64

export function EstimateChart({ caption, tasks }: { caption: string; tasks: Task[] }) {
  const [ref, width] = useWidth()
  const most = Math.max(...tasks.map((task) => Math.max(task.estimateMinutes, task.actualMinutes)))
  const x = scaleLinear({ domain: [0, most], range: [0, Math.max(0, width - figureWidth)] })
  return (
    <figure>
      <div ref={ref} aria-hidden="true" style={{ height: tasks.length * rowHeight }}>
        {width > 0 && (
          <svg width={width} height={tasks.length * rowHeight} className="block">
            {tasks.map((task, index) => (
              <g key={task.id} transform={`translate(0 ${index * rowHeight})`}>
                <text className="chart-text chart-label" y={12}>
                  {shorten(task.title, Math.floor(width / 7))}
                </text>
                <Bar
                  y={18}
                  height={8}
                  rx={2.5}
                  width={x(task.estimateMinutes)}
                  fill="var(--line-strong)"
                />
                <Bar
                  y={28}
                  height={8}
                  rx={2.5}
                  width={x(task.actualMinutes)}
                  fill={
                    task.actualMinutes > task.estimateMinutes * 1.1
                      ? 'var(--signal)'
                      : 'var(--chart-ink)'
                  }
                />
                <text className="chart-text" x={width} y={31} textAnchor="end">
                  {formatMinutes(task.actualMinutes)}
                </text>
              </g>
            ))}
          </svg>
        )}
      </div>
      <figcaption className="mt-1">
        <Legend
          items={[
            { label: 'Estimate', className: 'bg-line-strong' },
            { label: 'Took', className: 'bg-(--chart-ink)' },
            { label: 'Took longer', className: 'bg-signal' },
          ]}
        />
        <ChartTable
          caption={caption}
          columns={['Task', 'Estimate', 'Took']}
          rows={tasks.map(({ title, estimateMinutes, actualMinutes }) => [
            title,
            formatMinutes(estimateMinutes),
            formatMinutes(actualMinutes),
          ])}
        />
      </figcaption>
    </figure>
  )
}

const shorten = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text
