/** The scheduler says this of every block that it keeps: it alone is no difference. */
const unchangedSince = /^Unchanged since [^.]+\. /

export const withoutUnchangedSince = (explanation: string) =>
  explanation.replace(unchangedSince, '')
