import type { ReactNode } from 'react'
import { isGone } from '../data/is-gone.ts'
import { EmptyState } from './empty-state.tsx'

type Props = { what: string; error: Error; action?: ReactNode }

/** Shown in place of a record that does not exist or could not be loaded. */
export const NotLoaded = ({ what, error, action }: Props) => (
  <EmptyState
    title={isGone(error) ? `This ${what} no longer exists` : `The ${what} could not be loaded`}
    action={action}
  >
    {isGone(error) ? 'It may have been deleted on another device.' : 'The server did not respond.'}
  </EmptyState>
)
