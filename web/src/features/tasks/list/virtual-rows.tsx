import { useMemo } from 'react'
import { useZone } from '../../../data/profile.ts'
import { useNow } from '../../../time/clock.ts'
import { useNarrow } from '../../../ui/use-media.ts'
import { GroupRow } from './group-row.tsx'
import { usePlanned } from './planned.ts'
import type { RowHandlers } from './row-props.ts'
import type { Row } from './rows.ts'
import type { Selection } from './selection.ts'
import { TaskRow } from './task-row.tsx'
import type { useVirtualRows } from './use-virtual-rows.ts'

type Props = {
  virtual: ReturnType<typeof useVirtualRows>
  rows: Row[]
  selection: Selection
  focusedAt: number
  shownId: string | undefined
  renamedId: string | undefined
  handlers: RowHandlers
  onToggleGroup: (key: string) => void
}

/** The drawn rows, each at its position. */
export function VirtualRows(props: Props) {
  const { virtual, rows, selection, focusedAt, shownId, renamedId, handlers } = props
  const planned = usePlanned()
  const zone = useZone()
  const minute = Math.floor(useNow().getTime() / 60_000)
  const now = useMemo(() => new Date(minute * 60_000), [minute])
  const isNarrow = useNarrow()
  return virtual.getVirtualItems().map(({ index, key, start, size }) => {
    const row = rows[index]
    return (
      row && (
        <div
          key={key}
          role="presentation"
          className="absolute inset-x-0 top-0"
          style={{ height: size, transform: `translateY(${start}px)` }}
        >
          {row.kind === 'group' ? (
            <GroupRow
              group={row.group}
              index={index}
              isClosed={row.isClosed}
              onToggle={() => props.onToggleGroup(row.group.key)}
            />
          ) : (
            <TaskRow
              task={row.task}
              index={index}
              asksEstimate={row.asksEstimate}
              isFocused={index === focusedAt}
              isSelected={selection.ids.has(row.key)}
              isShown={row.key === shownId}
              isRenaming={row.key === renamedId}
              isNarrow={isNarrow}
              planned={planned.get(row.key)}
              now={now}
              zone={zone}
              handlers={handlers}
            />
          )}
        </div>
      )
    )
  })
}
