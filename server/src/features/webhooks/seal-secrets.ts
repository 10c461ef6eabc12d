// Webhook secrets are stored encrypted with the instance's own secret. Secrets from older versions, and from
// their backups, stay plain until the service starts.
import type { Cipher } from '../../platform/auth/encryption.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql, text, userId, uuid } from '../../platform/db/sql.ts'
import { execute } from '../../platform/db/statement.ts'

const atOnce = 500
const plainForm = /^whsec_/

type Row = { user_id: string; id: string; secret: string; former_secret: string | null }

export const replaceSecrets = execute(
  'webhooks.seal-secrets',
  sql`
  update webhooks
     set secret = ${text('sealed')}, former_secret = ${text.orNull('formerSealed')}
   where user_id = ${userId} and id = ${uuid('id')} and secret = ${text('secret')}`,
)

/** The plain secret; undefined if another instance encrypted it. */
export const openSecret = async (seal: Cipher, stored: string) =>
  plainForm.test(stored) ? stored : seal.open(stored)

/** Encrypts plain secrets at start. Not a statement of a request, so it may read all users. */
export async function sealPlainSecrets(db: Database, seal: Cipher) {
  for (;;) {
    const { rows } = await db.query<Row>(
      `select user_id, id, secret, former_secret
         from webhooks
        where secret like 'whsec\\_%' or former_secret like 'whsec\\_%'
        limit ${atOnce}`,
    )
    for (const { user_id, id, secret, former_secret } of rows) {
      const formerSealed = former_secret === null ? null : await sealSecret(former_secret)
      const sealed = await sealSecret(secret)
      await replaceSecrets(db, { userId: user_id, id, sealed, formerSealed, secret })
    }
    if (rows.length < atOnce) return
  }

  async function sealSecret(secret: string) {
    return plainForm.test(secret) ? seal.close(secret) : secret
  }
}
