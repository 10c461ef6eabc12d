import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

export type Connection = 'there' | 'no network' | 'no answer'

/**
 * Records whether the service answers. The event stream calls it at every attempt to connect. Paused queries are
 * fetched again once the service answers.
 */
export const noticeAnswer = (isAnswered: boolean) => onlineManager.setOnline(isAnswered)

const connection = (): Connection => {
  if (!navigator.onLine) return 'no network'
  return onlineManager.isOnline() ? 'there' : 'no answer'
}

function subscribe(listener: () => void) {
  const unsubscribe = onlineManager.subscribe(listener)
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    unsubscribe()
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

export const useConnection = () => useSyncExternalStore(subscribe, connection)
