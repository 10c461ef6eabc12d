import type { ReactNode } from 'react'

type Props = { title: string; lead: string; action: ReactNode; children: ReactNode }

export const Step = ({ title, lead, action, children }: Props) => (
  <section>
    <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
    <p className="mt-1 text-base text-ink-2">{lead}</p>
    <div className="mt-6">{children}</div>
    <div className="mt-6 flex">{action}</div>
  </section>
)
