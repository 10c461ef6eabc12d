// The current and former texts of a document. Events refer to them by hash; each is stored once, as long as
// an event refers to it.
import type { DocumentVersion } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { one } from '../../platform/db/fragments.ts'
import { bytes, sql, userId, uuid } from '../../platform/db/sql.ts'
import { queryJsonOrNone, queryRows } from '../../platform/db/statement.ts'
import { notFound } from '../../platform/errors.ts'

const id = uuid('id')
const hash = bytes('hash')
const ofDocument = sql`
  from (select document.content
          from documents document
         where document.user_id = ${userId} and document.id = ${id}
           and document.content_hash = ${hash}::bytea
         union all
        select kept.content
          from texts kept
         where kept.user_id = ${userId} and kept.hash = ${hash}::bytea
           and exists (select from events event
                        where event.user_id = ${userId} and event.record_id = ${id}
                          and encode(${hash}::bytea, 'hex') in (event.before -> 'content' ->> 'hash',
                                     event.after -> 'content' ->> 'hash'))
         limit 1) version`

const find = queryJsonOrNone<DocumentVersion>()(
  'documents.find-version',
  sql`
  select ${one({
    hash: sql`encode(${hash}::bytea, 'hex')`,
    length: 'octet_length(version.content)',
    content: 'version.content',
  })}::text as json ${ofDocument}`,
)

const selectText = queryRows<{ content: string }>()(
  'documents.find-text',
  sql`select version.content ${ofDocument}`,
)

export async function findVersion(db: Db, userId: string, id: string, hash: string) {
  const found = await find(db, { userId, id, hash: Buffer.from(hash, 'hex') })
  if (!found) throw notFound('Version not found')
  return found
}

export const findText = async (db: Db, userId: string, id: string, hash: string) =>
  (await selectText(db, { userId, id, hash: Buffer.from(hash, 'hex') }))[0]?.content
