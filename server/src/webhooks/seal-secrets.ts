// Webhooks' secrets are stored sealed by the instance's own secret. Those of older versions, and of
// backups made by them, are stored as they are until the service starts.
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

/** The plain secret; undefined where it was sealed by another instance. */
export async function openSecret(seal: Seal, stored: string) {
  if (plainForm.test(stored)) return stored
  await seal.close('') // an instance whose own secret cannot be read has not lost anything
  return seal.open(stored).catch(() => undefined)
}

/** Seals what is not sealed yet, at start; not a statement of a request, and so it may read all. */
export async function sealPlainSecrets(db: Database, seal: Seal) {
  for (;;) {
    const { rows } = await db.query<Row>(
      `select user_id, id, secret, former_secret
         from webhooks
        where secret like 'whsec\\_%' or former_secret like 'whsec\\_%'
        limit ${atOnce}`,
    )
    for (const { user_id, id, secret, former_secret } of rows) {
      const former = former_secret === null ? null : await sealed(former_secret)
      await replaceSecrets(db, user_id, id, await sealed(secret), former, secret)
    }
    if (rows.length < atOnce) return
  }

  async function sealed(secret: string) {
    return plainForm.test(secret) ? seal.close(secret) : secret
  }
}
