/** The scheduler's explanation of every block that it keeps begins like this, which alone is not a difference. */
const unchangedSince = /^Unchanged since [^.]+\. /

export const withoutUnchangedSince = (explanation: string) =>
  explanation.replace(unchangedSince, '')
