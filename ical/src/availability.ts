// Whether an event keeps its time occupied, and whether that is certain.
import { propertiesOf, propertyOf, type Component } from './components.ts'

/** `addresses` are the user's own, in lower case: the user's answer to an invitation decides. */
export function readAvailability(component: Component, isAllDay: boolean, addresses: Set<string>) {
  const wordOf = (name: string) => propertyOf(component, name)?.value.toUpperCase() ?? ''
  const status = wordOf('STATUS')
  const answer = answerOf(component, addresses)
  // More exact than TRANSP, which Outlook writes as well.
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
