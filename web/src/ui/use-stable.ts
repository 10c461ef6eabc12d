import { useCallback, useLayoutEffect, useRef } from 'react'

/** A function with a stable identity that calls the latest version of `act`. */
export function useStable<Args extends unknown[]>(act: (...args: Args) => void) {
  const current = useRef(act)
  useLayoutEffect(() => {
    current.current = act
  })
  return useCallback((...args: Args) => current.current(...args), [])
}
