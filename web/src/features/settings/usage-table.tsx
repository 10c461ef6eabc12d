import type { Usage } from '@daywright/contract'

const names: Record<keyof Usage, string> = {
  textBytes: 'Text of documents and descriptions',
  historyBytes: 'History',
  notifications: 'Notifications',
  tasks: 'Tasks',
  checklistItems: 'Checklist items',
  dependencies: 'Dependencies',
  projects: 'Projects',
  spaces: 'Spaces',
  labels: 'Labels',
  documents: 'Documents',
  documentLinks: 'Links to documents',
  timeBlocks: 'Time blocks placed by hand',
  schedulePreferences: 'Sets of working hours',
}

/** The usage of each resource, beside its limit. */
export function UsageTable({ usage }: { usage: Usage }) {
  return (
    <table className="w-full border-collapse">
      <thead className="text-left text-xs text-ink-2">
        <tr>
          <th className="py-1.5 font-medium">What</th>
          <th className="py-1.5 pl-4 text-right font-medium">Used</th>
          <th className="py-1.5 pl-4 text-right font-medium">Limit</th>
        </tr>
      </thead>
      <tbody>
        {(Object.keys(names) as (keyof Usage)[]).map((name) => (
          <Row key={name} name={name} amount={usage[name]} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ name, amount }: { name: keyof Usage; amount: Usage[keyof Usage] }) {
  const { used, limit } = amount
  const write = name.endsWith('Bytes') ? formatBytes : formatCount
  const isNearlyFull = used >= limit * 0.9
  return (
    <tr className="border-t">
      <th scope="row" className="py-2 text-left font-normal">
        {names[name]}
        {name === 'historyBytes' && (
          <span className="block text-xs text-ink-3">
            When it is full, the oldest entries are removed.
          </span>
        )}
      </th>
      <td
        className={`py-2 pl-4 text-right whitespace-nowrap tabular ${isNearlyFull ? 'text-signal-ink' : ''}`}
      >
        {write(used)}
      </td>
      <td className="py-2 pl-4 text-right whitespace-nowrap text-ink-2 tabular">{write(limit)}</td>
    </tr>
  )
}

const formatCount = (count: number) => new Intl.NumberFormat().format(count)

function formatBytes(bytes: number) {
  const units = ['kilobyte', 'megabyte', 'gigabyte']
  const thousands = Math.floor(Math.log10(Math.max(1000, bytes)) / 3)
  const step = Math.min(units.length, thousands)
  const options = {
    style: 'unit',
    unit: units[step - 1] ?? 'kilobyte',
    maximumFractionDigits: 1,
  } as const
  return new Intl.NumberFormat(undefined, options).format(bytes / 1000 ** step)
}
