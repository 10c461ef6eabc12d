// Encrypts everything again with the current secret. Texts that have its key id are left alone, so a run that was
// interrupted is continued by the next one.
import { type Cipher, encryptWith, keyIdOf } from '../../platform/auth/encryption.ts'
import { instanceSecrets, replaceOwnSecret } from '../../platform/auth/secret.ts'
import type { Config } from '../../config.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { openSecret, replaceSecrets } from '../webhooks/seal-secrets.ts'
import {
  kinds,
  listSealedAnswers,
  listSealedWebhooks,
  resealAnswers,
} from './sealed-texts.queries.ts'

/** `lost`: texts that none of the secrets can read. They are left as they are. */
type Result = { renewed: number; lost: number }

const usersAtOnce = 500

export async function rotateSecret(
  db: Database,
  config: Pick<Config, 'AUTH_SECRET' | 'AUTH_SECRET_PREVIOUS'>,
): Promise<Result> {
  if (config.AUTH_SECRET === undefined && !config.AUTH_SECRET_PREVIOUS) throw new Error(noSecret)
  const secrets = instanceSecrets(db, config)
  const prefix = `${keyIdOf(await secrets.current())}.`
  const result = { renewed: 0, lost: 0 }
  for await (const userId of usersOf(db)) {
    const { renewed, lost } = await encryptAgain(db, encryptWith(secrets), prefix, userId)
    result.renewed += renewed
    result.lost += lost
  }
  // It encrypts nothing any more, and may be what has leaked.
  if (config.AUTH_SECRET !== undefined) await replaceOwnSecret(db)
  return result
}

/** Encrypts the user's texts again that do not begin with this prefix, in a transaction, and answers in one for each page. */
export async function encryptAgain(
  db: Db,
  cipher: Cipher,
  prefix: string,
  userId: string,
): Promise<Result> {
  const result = { renewed: 0, lost: 0 }
  await db.transaction(renewTexts)
  await renewAnswers()
  return result

  async function renewTexts(transaction: Db) {
    for (const { list, replace } of kinds) {
      for (const { id, sealed } of await list(transaction, { userId, prefix })) {
        const renewed = await renew(sealed)
        if (renewed) await replace(transaction, { userId, id, sealed, renewed })
      }
    }
    const webhooks = await listSealedWebhooks(transaction, userId, prefix)
    for (const { id, secret, former_secret } of webhooks) {
      const sealed = (await renew(secret)) ?? secret
      const formerSealed = former_secret && ((await renew(former_secret)) ?? former_secret)
      await replaceSecrets(transaction, { userId, id, secret, sealed, formerSealed })
    }
  }

  async function renewAnswers() {
    let page = await listSealedAnswers(db, userId, prefix, '')
    while (page.length > 0) {
      const answers: Parameters<typeof resealAnswers>[2] = []
      for (const { key, sealed } of page) {
        const renewed = await renew(sealed)
        if (renewed) answers.push({ key, sealed, renewed })
      }
      await resealAnswers(db, userId, answers)
      page = await listSealedAnswers(db, userId, prefix, page.at(-1)?.key ?? '')
    }
  }

  async function renew(sealed: string) {
    if (sealed.startsWith(prefix)) return undefined
    const text = await openSecret(cipher, sealed)
    result[text === undefined ? 'lost' : 'renewed'] += 1
    return text === undefined ? undefined : cipher.close(text)
  }
}

/** Not a statement of a request, so it may read all users. */
async function* usersOf(db: Database) {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await db.query<{ id: string }>(
      `select id from users where id > '${after}' order by id limit ${usersAtOnce}`,
    )
    for (const { id } of rows) yield id
    after = rows.at(-1)?.id ?? after
    if (rows.length < usersAtOnce) return
  }
}

const noSecret =
  'Set AUTH_SECRET to a new secret first, and AUTH_SECRET_PREVIOUS to the former value of AUTH_SECRET if it had one'
