import { keycaps } from '../commands/keycaps.ts'

/** Keys as they are written on this keyboard: `mod+k` is ⌘K or Ctrl K. */
export const Kbd = ({ keys }: { keys: string }) => (
  <span className="inline-flex gap-1" aria-hidden="true">
    {keycaps(keys).map((cap) => (
      <kbd key={cap} className="kbd">
        {cap}
      </kbd>
    ))}
  </span>
)
