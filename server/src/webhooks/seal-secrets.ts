// Webhook secrets are stored encrypted with the instance's own secret. Secrets from older versions, and from
// their backups, stay plain until the service starts.
import type { Seal } from '../auth/seal.ts'
import type { Database } from '../db/database.ts'
import { selecting } from '../db/statement.ts'

const atOnce = 500
const plainForm = /^whsec_/

type Row = { user_id: string; id: string; secret: string; former_secret: string | null }

export const replaceSecrets = selecting(
  'webhooks.seal-secrets',
  `
  update webhooks
     set secret = $3, former_secret = $4
   where user_id = $1 and id = $2 and secret = $5`,
)

/** The plain secret; undefined if another instance encrypted it. */
export async function openSecret(seal: Seal, stored: string) {
  if (plainForm.test(stored)) return stored
  await seal.close('') // throws if our own secret cannot be read: then no secret is lost
  return seal.open(stored).catch(() => undefined)
}

/** Encrypts plain secrets at start. Not a statement of a request, so it may read all users. */
export async function sealPlainSecrets(db: Database, seal: Seal) {
  for (;;) {
    const { rows } = await db.query<Row>(
      `select user_id, id, secret, former_secret
         from webhooks
        where secret like 'whsec\\_%' or former_secret like 'whsec\\_%'
        limit ${atOnce}`,
    )
    for (const { user_id, id, secret, former_secret } of rows) {
      const former = former_secret === null ? null : await sealSecret(former_secret)
      await replaceSecrets(db, user_id, id, await sealSecret(secret), former, secret)
    }
    if (rows.length < atOnce) return
  }

  async function sealSecret(secret: string) {
    return plainForm.test(secret) ? seal.close(secret) : secret
  }
}
