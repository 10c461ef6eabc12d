import type { ReactNode } from 'react'

export const SettingsHead = ({ title, children }: { title: string; children?: ReactNode }) => (
  <header className="mb-6">
    <h2 className="text-lg font-semibold">{title}</h2>
    {children && <p className="mt-1 max-w-[60ch] text-ink-2">{children}</p>}
  </header>
)
