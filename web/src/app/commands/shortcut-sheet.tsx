import { Dialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { useAllCommands } from '../../ui/commands/registry.ts'

/** Every shortcut, by group. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const groups = Object.entries(
    Object.groupBy(
      useAllCommands().filter(({ keys }) => keys),
      ({ group }) => group,
    ),
  )
  return (
    <Dialog title="Shortcuts" isOpen onClose={onClose} className="w-[min(720px,calc(100vw-24px))]">
      {/* This section scrolls, so it must be reachable by keyboard. */}
      <section
        aria-label="All shortcuts"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="columns-1 gap-8 overflow-y-auto px-4 pb-4 md:columns-2"
      >
        {groups.map(([group, commands = []]) => (
          <section key={group} className="mb-4 break-inside-avoid">
            <h3 className="mb-1 text-xs font-medium text-ink-3">{group}</h3>
            <dl>
              {commands.map(({ id, title, keys }) => (
                <div key={id} className="flex min-h-7 items-center gap-3">
                  <dt className="flex-1">{title}</dt>
                  <dd>
                    <Kbd keys={keys ?? ''} />
                    <span className="sr-only">{keys}</span>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
    </Dialog>
  )
}
