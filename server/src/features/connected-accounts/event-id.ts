import { z } from 'zod'

/** Event ids are stored, so only visible ASCII characters are accepted. */
export const EventId = z.string().regex(/^[\x21-\x7e]{1,1024}$/)
