import { keycaps } from './commands/keycaps.ts'

/** Key labels of this platform: `mod+k` is ⌘K or Ctrl K. */
export const Kbd = ({ keys }: { keys: string }) => (
  <span className="inline-flex gap-1" aria-hidden="true">
    {keycaps(keys).map((cap) => (
      <kbd key={cap} className="kbd">
        {cap}
      </kbd>
    ))}
  </span>
)
