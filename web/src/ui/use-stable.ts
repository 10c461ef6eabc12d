import { useCallback, useLayoutEffect, useRef } from 'react'

/** The same function for as long as the component lives, which does what the last one given does. */
export function useStable<Args extends unknown[]>(act: (...args: Args) => void) {
  const current = useRef(act)
  useLayoutEffect(() => {
    current.current = act
  })
  return useCallback((...args: Args) => current.current(...args), [])
}
