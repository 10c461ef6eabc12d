type Props = { items: { label: string; className: string }[] }

export const Legend = ({ items }: Props) => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2" aria-hidden="true">
    {items.map(({ label, className }) => (
      <li key={label} className="flex items-center gap-1.5">
        <span className={`inline-block h-2.5 w-2.5 rounded-[2px] ${className}`} />
        {label}
      </li>
    ))}
  </ul>
)
