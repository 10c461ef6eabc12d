/**
 * A zone in the letters of the IANA list: `asia/CALCUTTA` is stored as `Asia/Calcutta`. Millions of
 * spellings of one zone would fill what is kept for each zone. The name stays: an alias is not replaced.
 */
export const spellTimezone = (timezone: string) =>
  new Temporal.ZonedDateTime(0n, timezone).timeZoneId
