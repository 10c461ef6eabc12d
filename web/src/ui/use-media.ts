import { useSyncExternalStore } from 'react'

const known = new Map<string, MediaQueryList>()

function mediaOf(query: string) {
  const media = known.get(query) ?? matchMedia(query)
  known.set(query, media)
  return media
}

/** Whether a media query matches, now and as it changes. */
export const useMedia = (query: string) =>
  useSyncExternalStore(
    (listener) => {
      mediaOf(query).addEventListener('change', listener)
      return () => mediaOf(query).removeEventListener('change', listener)
    },
    () => mediaOf(query).matches,
  )

/** A phone, or a window as narrow as one. */
export const useNarrow = () => useMedia('(width < 47.5rem)')
