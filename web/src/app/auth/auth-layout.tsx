import type { ReactNode } from 'react'
import { Mark } from '../../ui/mark.tsx'

/** The layout of the pages before sign-in. */
export const AuthLayout = ({
  title,
  lead,
  children,
}: {
  title: string
  lead?: string
  children: ReactNode
}) => (
  <main id="main" className="flex h-full flex-col overflow-y-auto bg-panel px-4">
    <div className="m-auto w-full max-w-[360px] py-10">
      <Mark size={36} />
      <h1 className="mt-5 text-xl font-semibold tracking-tight">{title}</h1>
      {lead && <p className="mt-1 text-base text-ink-2">{lead}</p>}
      <div className="mt-6">{children}</div>
    </div>
  </main>
)
