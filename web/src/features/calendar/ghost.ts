// The drop target of a drag. A separate store, so that pointer moves re-render nothing else.
import { createStore } from '../../data/create-store.ts'
import type { DragSubject, Span } from './drag-subject.ts'

export type Ghost = { subject: DragSubject; span: Span | undefined; x: number; y: number }

export const { set: setGhost, use: useGhost } = createStore<Ghost | undefined>(undefined)
