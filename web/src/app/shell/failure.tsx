import type { ErrorComponentProps } from '@tanstack/react-router'
import { errorMessage } from '../../data/run-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

export const NotFound = () => (
  <main id="main" className="flex-1">
    <EmptyState title="Page not found">The address may be wrong or out of date.</EmptyState>
  </main>
)

export const Failure = ({ error, reset }: ErrorComponentProps) => (
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
