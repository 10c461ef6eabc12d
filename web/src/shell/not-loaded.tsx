import type { ReactNode } from 'react'
import { isGone } from '../data/is-gone.ts'
import { EmptyState } from '../ui/empty-state.tsx'

type Props = { what: string; error: Error; action?: ReactNode }

/** In the place of a record: there is none, or it could not be had. */
export const NotLoaded = ({ what, error, action }: Props) => (
  <EmptyState
    title={isGone(error) ? `This ${what} is gone` : `The ${what} did not load`}
    action={action}
  >
    {isGone(error) ? 'It was deleted, here or elsewhere.' : 'The service did not answer.'}
  </EmptyState>
)
