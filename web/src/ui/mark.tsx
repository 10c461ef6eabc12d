/** The logo: three blocks on a day; the last one is now. */
export const Mark = ({ size = 24 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden="true">
    <rect width="64" height="64" rx="17" fill="var(--ink)" />
    <rect x="15" y="16" width="22" height="8" rx="3" fill="var(--paper)" />
    <rect x="15" y="28" width="34" height="8" rx="3" fill="var(--paper)" />
    <rect x="15" y="40" width="15" height="8" rx="3" fill="var(--signal)" />
  </svg>
)
