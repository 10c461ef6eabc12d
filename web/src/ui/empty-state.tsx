import type { ReactNode } from 'react'

type Props = { title: string; children?: ReactNode; action?: ReactNode }

export const EmptyState = ({ title, children, action }: Props) => (
  <div className="mx-auto flex max-w-80 flex-col items-center gap-1.5 px-6 py-14 text-center">
    <h2 className="text-base font-semibold">{title}</h2>
    {children && <p className="text-ink-3">{children}</p>}
    {action && <div className="mt-2">{action}</div>}
  </div>
)
