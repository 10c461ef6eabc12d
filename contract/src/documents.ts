import { z } from 'zod'
import { FilterId, Id, nilUuid, PathId, Reference, SortOrder, text, Timestamp } from './values.ts'
import { TaskStatus } from './task-status.ts'

export const DocType = z.enum(['note', 'spec', 'reference', 'link'])

const runsScript = /^(javascript|data|vbscript):/i
const Url = text(1, 10_000)
  .refine((url) => URL.canParse(url), 'Must be an absolute URL')
  .refine(
    // `href` is normalized as in a browser: without tabs and line breaks, which could hide the scheme.
    (url) => !URL.canParse(url) || !runsScript.test(new URL(url).href),
    'Must not be a javascript:, data: or vbscript: URL',
  )
  .meta({ format: 'uri', examples: ['https://example.com/brief'] })

const example = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e31',
  userId: '01980f2e-0000-7d3e-9b54-000000000001',
  spaceId: null,
  projectId: null,
  title: 'Brief',
  content: '# Goals',
  url: 'https://example.com/brief',
  docType: 'spec' as const,
  sortOrder: 0,
  createdAt: '2026-03-02T08:00:00.000Z',
  updatedAt: '2026-03-02T08:00:00.000Z',
}

export const Document = z
  .object({
    id: Id,
    userId: Id,
    spaceId: Id.nullable(),
    projectId: Id.nullable(),
    title: text(1, 500),
    content: text(0, 4_194_304),
    url: z.string().nullable(),
    docType: DocType,
    sortOrder: SortOrder,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Document', examples: [example] })

const Place = z.object({ id: Id, name: z.string(), color: z.string() }).nullable()

/** The link between a task and a document, with a summary of the task. */
export const DocumentLink = z
  .object({
    taskId: Id,
    documentId: Id,
    task: z.object({ id: Id, title: z.string(), status: TaskStatus }),
  })
  .meta({
    id: 'DocumentLink',
    examples: [
      {
        taskId: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e41',
        documentId: example.id,
        task: {
          id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e41',
          title: 'Write the report',
          status: 'todo',
        },
      },
    ],
  })

export const ListedDocument = Document.extend({ space: Place, project: Place }).meta({
  id: 'ListedDocument',
  examples: [{ ...example, space: null, project: null }],
})
export const FullDocument = ListedDocument.extend({ tasks: z.array(DocumentLink) }).meta({
  id: 'FullDocument',
  examples: [{ ...example, space: null, project: null, tasks: [] }],
})

/** A value of any other type than text or null refers to nothing, too. The type is what callers should send. */
const PlaceReference = Reference.nullable().catch(nilUuid) as unknown as z.ZodNullable<
  typeof Reference
>

const input = Document.pick({ title: true, content: true, docType: true }).extend({
  url: Url.nullable(),
  spaceId: PlaceReference,
  projectId: PlaceReference,
})
export const NewDocument = input
  .partial()
  .required({ title: true })
  .meta({ id: 'NewDocument', examples: [{ title: 'Brief', content: '# Goals', docType: 'spec' }] })
export const DocumentChanges = input
  .extend({ sortOrder: SortOrder })
  .partial()
  .meta({ id: 'DocumentChanges', examples: [{ content: '# Goals\n\n- Ship it' }] })

export const DocumentFilter = z.object({
  spaceId: FilterId,
  projectId: FilterId,
  content: z.enum(['excerpt', 'whole']).optional().meta({
    description: '`excerpt`: only the first 400 characters of each content; default: `whole`',
  }),
})

const hash = z.string().regex(/^[0-9a-f]{64}$/)

/** A current or former text of a document, identified by the hash that events contain. */
export const DocumentVersion = z
  .object({
    hash: hash.meta({ description: 'SHA-256 of the text in UTF-8' }),
    length: z.int().meta({ description: 'The length of the text in bytes of UTF-8' }),
    content: z.string(),
  })
  .meta({
    id: 'DocumentVersion',
    examples: [
      {
        hash: '6b3a3b2a17e1a6bb0e1a0c2f9d2f6a0f2a4c5b7d8e9f00112233445566778899',
        length: 7,
        content: '# Goals',
      },
    ],
  })

/** A malformed hash matches nothing (404). */
export const DocumentVersionPath = PathId.extend({ hash: hash.catch('00') })

export const NewDocumentLink = z
  .object({ documentId: Reference })
  .meta({ id: 'NewDocumentLink', examples: [{ documentId: example.id }] })

export type Document = z.infer<typeof Document>
export type ListedDocument = z.infer<typeof ListedDocument>
export type FullDocument = z.infer<typeof FullDocument>
export type DocumentVersion = z.infer<typeof DocumentVersion>
export type DocumentLink = z.infer<typeof DocumentLink>
export type NewDocument = z.infer<typeof NewDocument>
export type DocumentChanges = z.infer<typeof DocumentChanges>
export type DocumentFilter = z.infer<typeof DocumentFilter>
