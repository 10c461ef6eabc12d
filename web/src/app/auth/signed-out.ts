// Whether the session of the user whose data is shown has ended.
import { createStore } from '../../data/create-store.ts'

const isOut = createStore(false)

export function setSignedOut(value: boolean) {
  // styles/app.css hides the page behind the dialog.
  document.documentElement.toggleAttribute('data-signed-out', value)
  isOut.set(value)
}

export const useSignedOut = isOut.use
