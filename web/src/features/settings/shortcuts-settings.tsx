import { useAllCommands } from '../../ui/commands/registry.ts'
import { setDevice, useDevice } from '../../ui/device.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { SettingsHead } from './settings-head.tsx'

export function ShortcutSettings() {
  const { singleKeys } = useDevice()
  const groups = Object.entries(
    Object.groupBy(
      useAllCommands().filter(({ keys }) => keys),
      ({ group }) => group,
    ),
  )
  return (
    <>
      <SettingsHead title="Shortcuts">
        Every screen has more shortcuts: press ? to see them.
      </SettingsHead>
      <div className="mb-6">
        <Checkbox
          label="Single keys, like q to add a task"
          checked={singleKeys}
          onChange={({ target }) => setDevice({ singleKeys: target.checked })}
        />
        <p className="mt-1.5 pl-6 text-ink-2">
          Turn this off if you press them by accident, or if you use voice control.
        </p>
      </div>
      {groups.map(([group, commands = []]) => (
        <section key={group} className="mb-5">
          <h3 className="mb-1 text-xs font-medium text-ink-3">{group}</h3>
          <dl>
            {commands.map(({ id, title, keys = '' }) => (
              <div key={id} className="flex min-h-8 items-center gap-3 border-b">
                <dt className="flex-1">{title}</dt>
                <dd>
                  <Kbd keys={keys} />
                  <span className="sr-only">{keys}</span>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  )
}
