// Whether an event keeps its time occupied, and whether that is certain.
import { propertiesOf, propertyOf, type Component } from './components.ts'

/** `addresses` are those of the user, in lower case: their answer to an invitation decides. */
export function readAvailability(component: Component, isAllDay: boolean, addresses: Set<string>) {
  const wordOf = (name: string) => propertyOf(component, name)?.value.toUpperCase() ?? ''
  const status = wordOf('STATUS')
  const answer = answerOf(component, addresses)
  // Outlook also writes TRANSP, but less exactly.
  const microsoft = wordOf('X-MICROSOFT-CDO-BUSYSTATUS')
  return {
    isCancelled: status === 'CANCELLED',
    isBusy: answer !== 'DECLINED' && isMarkedBusy(microsoft, wordOf('TRANSP'), isAllDay),
    isTentative:
      microsoft === ''
        ? [status, answer].includes('TENTATIVE') || answer === 'NEEDS-ACTION'
        : microsoft === 'TENTATIVE',
  }
}

/** An all-day event, such as a birthday, occupies its day only if it says so. */
function isMarkedBusy(microsoft: string, transparency: string, isAllDay: boolean) {
  if (microsoft !== '') return ['BUSY', 'OOF', 'TENTATIVE'].includes(microsoft)
  if (transparency !== '') return transparency !== 'TRANSPARENT'
  return !isAllDay
}

function answerOf(component: Component, addresses: Set<string>) {
  if (addresses.size === 0) return undefined
  const own = propertiesOf(component, 'ATTENDEE').findLast(({ parameters, value }) =>
    addresses.has((parameters.EMAIL ?? value.replace(/^mailto:/i, '')).toLowerCase()),
  )
  return own && (own.parameters.PARTSTAT ?? 'NEEDS-ACTION').toUpperCase()
}
