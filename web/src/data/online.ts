import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

export type Connection = 'there' | 'no network' | 'no answer'

/**
 * Told by whoever follows the events, who tries all the time. What could not be had while there was
 * no answer is asked for again once there is one.
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
