// The current and former texts of a document. Events refer to them by hash; each is stored once, as long as
// an event refers to it.
import type { DocumentVersion } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { finding, one, selecting } from '../db/statement.ts'
import { notFound } from '../errors.ts'

const ofDocument = `
  from (select document.content
          from documents document
         where document.user_id = $1 and document.id = $2
           and document.content_hash = $3::bytea
         union all
        select kept.content
          from texts kept
         where kept.user_id = $1 and kept.hash = $3::bytea
           and exists (select from events event
                        where event.user_id = $1 and event.record_id = $2
                          and encode($3::bytea, 'hex') in (event.before -> 'content' ->> 'hash',
                                     event.after -> 'content' ->> 'hash'))
         limit 1) version`

const find = finding<DocumentVersion>(
  'documents.find-version',
  `
  select ${one({
    hash: `encode($3::bytea, 'hex')`,
    length: 'octet_length(version.content)',
    content: 'version.content',
  })}::text as json ${ofDocument}`,
)

const text = selecting<{ content: string }>(
  'documents.find-text',
  `select version.content ${ofDocument}`,
)

export async function findVersion(db: Db, userId: string, id: string, hash: string) {
  const found = await find(db, userId, id, Buffer.from(hash, 'hex'))
  if (!found) throw notFound('Version not found')
  return found
}

export const findText = async (db: Db, userId: string, id: string, hash: string) =>
  (await text(db, userId, id, Buffer.from(hash, 'hex')))[0]?.content
