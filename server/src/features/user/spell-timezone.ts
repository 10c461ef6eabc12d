/**
 * A zone in the spelling of the IANA list: `asia/CALCUTTA` is stored as `Asia/Calcutta`, because many
 * spellings would fill the caches per zone. An alias is not replaced.
 */
export const spellTimezone = (timezone: string) =>
  new Temporal.ZonedDateTime(0n, timezone).timeZoneId
