import { useCallback, useMemo, useState } from 'react'

export type Selection = {
  ids: ReadonlySet<string>
  toggle: (id: string) => void
  /** Selects from the last toggled task to this one, in the order of the list. */
  extendTo: (id: string, order: string[]) => void
  set: (ids: string[]) => void
  clear: () => void
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [anchor, setAnchor] = useState<string>()

  const toggle = useCallback((id: string) => {
    setAnchor(id)
    setIds((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  }, [])
  const extendTo = useCallback(
    (id: string, order: string[]) => {
      const [from = 0, to = 0] = [order.indexOf(anchor ?? id), order.indexOf(id)].toSorted(
        (one, other) => one - other,
      )
      setIds((before) => new Set([...before, ...order.slice(Math.max(0, from), to + 1)]))
    },
    [anchor],
  )
  const set = useCallback((all: string[]) => setIds(new Set(all)), [])
  const clear = useCallback(() => setIds(new Set()), [])
  return useMemo(() => ({ ids, toggle, extendTo, set, clear }), [ids, toggle, extendTo, set, clear])
}
