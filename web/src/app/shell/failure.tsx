import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Refusal } from '../../data/api.ts'
import { isTemporary } from '../../data/is-temporary.ts'
import { retryMs } from '../../data/query-client.ts'
import { errorMessage } from '../../data/run-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

export const NotFound = () => (
  <main id="main" className="flex-1">
    <EmptyState title="Page not found">The address may be wrong or out of date.</EmptyState>
  </main>
)

export function Failure({ error, reset }: ErrorComponentProps) {
  useRetry(error)
  return (
    <main id="main" className="flex-1">
      <EmptyState
        title="This page could not be shown"
        action={
          <Button
            onClick={() => {
              reset()
              location.reload()
            }}
          >
            Try again
          </Button>
        }
      >
        {errorMessage(error)}
      </EmptyState>
    </main>
  )
}

/** Loads the page again by itself if the service failed. Any other error is ours, and would come again. */
function useRetry(error: unknown) {
  const router = useRouter()
  const isOfService = error instanceof Refusal && isTemporary(error)
  useEffect(() => {
    if (!isOfService) return undefined
    const timer = setInterval(() => void router.invalidate(), retryMs)
    return () => clearInterval(timer)
  }, [isOfService, router])
}
