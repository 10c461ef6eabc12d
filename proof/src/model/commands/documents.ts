import fc from 'fast-check'
import { bodyFor, call, expect, idFor, missing, success } from '../call.ts'
import { command } from '../command.ts'
import type { Filled } from '../fill.ts'
import { freshId } from '../fresh-id.ts'
import { type Document, now, edit } from '../model.ts'
import { documentOf, fullDocument, hashOf, listedDocuments } from '../show.ts'
import {
  body,
  longText,
  nullable,
  number,
  oneOf,
  pick,
  rarely,
  reference,
  text,
  url,
} from '../values.ts'
import { forget } from '../world.ts'

const fields = {
  title: text(1, 500),
  content: longText,
  url: nullable(url),
  docType: oneOf('note', 'spec', 'reference', 'link'),
  spaceId: nullable(reference('spaces')),
  projectId: nullable(reference('projects')),
}
const notFound = { error: 'Document not found' }

/** A reference of another type matches nothing, instead of being invalid. */
function placed(given: Filled) {
  for (const field of ['spaceId', 'projectId']) {
    if (!given.bad.includes(field)) continue
    given.bad.splice(given.bad.indexOf(field), 1)
    given.missing.push(field)
  }
  return given
}

export const documents = [
  command(
    'listDocuments',
    {},
    fc.record({
      space: rarely(pick, 2),
      project: rarely(pick, 3),
      content: rarely(fc.constantFrom('whole', 'excerpt', 'none'), 2),
    }),
    async (scene, drawn) => {
      const operation = 'listDocuments'
      const space = drawn.space && idFor(scene, 'spaces', drawn.space)
      const project = drawn.project && idFor(scene, 'projects', drawn.project)
      const query = [
        ...(space ? [`spaceId=${space.segment}`] : []),
        ...(project ? [`projectId=${project.segment}`] : []),
        ...(drawn.content ? [`content=${drawn.content}`] : []),
      ].join('&')
      const path = `/api/documents${query && `?${query}`}`
      const badQuery = drawn.content === 'none' ? ['content'] : []
      const answer = await call(scene, { operation, method: 'GET', path, badQuery })
      if (!answer) return
      const isWanted = ({ spaceId, projectId }: Document) =>
        (!space || spaceId === space.found) && (!project || projectId === project.found)
      const documents = listedDocuments(scene.me, isWanted)
      if (drawn.content !== 'excerpt') return expect(answer, operation, 200, documents)
      const excerpts = documents.map((each) => ({
        ...each,
        content: Array.from(each.content).slice(0, 400).join(''),
      }))
      expect(answer, operation, 200, excerpts)
    },
  ),

  command('createDocument', {}, body(fields, ['title']), async (scene, drawn) => {
    const operation = 'createDocument'
    const given = placed(bodyFor(scene, drawn))
    const request = { operation, method: 'POST', path: '/api/documents', body: given }
    const answer = await call(scene, request)
    if (!answer) return
    if (given.missing.length > 0) return expect(answer, operation, 400, missing(given.missing))
    const { values } = given
    const createdAt = now(answer)
    const document: Document = {
      id: freshId(scene, answer),
      spaceId: values.spaceId ?? null,
      projectId: values.projectId ?? null,
      title: values.title,
      content: values.content ?? '',
      url: values.url ?? null,
      docType: values.docType ?? 'note',
      sortOrder: 0,
      createdAt,
      updatedAt: createdAt,
    }
    expect(answer, operation, 201, documentOf(scene.me, document))
    scene.me.rows.documents.set(document.id, document)
  }),

  command('findDocument', {}, pick, async (scene, pick) => {
    const operation = 'findDocument'
    const { segment, found } = idFor(scene, 'documents', pick)
    const path = `/api/documents/${segment}`
    const answer = await call(scene, { operation, method: 'GET', path })
    if (!answer) return
    const document = scene.me.rows.documents.get(found)
    if (!document) return expect(answer, operation, 404, notFound)
    expect(answer, operation, 200, fullDocument(scene.me, document))
  }),

  command(
    'findDocumentVersion',
    {},
    fc.record({ pick, of: rarely(pick, 4) }),
    async (scene, drawn) => {
      const operation = 'findDocumentVersion'
      const { segment, found } = idFor(scene, 'documents', drawn.pick)
      const { documents } = scene.me.rows
      const document = documents.get(found)
      const other = drawn.of && documents.get(idFor(scene, 'documents', drawn.of).found)
      const content = (other ?? document)?.content ?? ''
      const hash = hashOf(content)
      const path = `/api/documents/${segment}/versions/${hash}`
      const answer = await call(scene, { operation, method: 'GET', path })
      if (!answer) return
      const length = Buffer.byteLength(content)
      if (document?.content === content) {
        return expect(answer, operation, 200, { hash, length, content })
      }
      // The document may have had this text before.
      if (answer.status === 200) return expect(answer, operation, 200, { hash, length, content })
      expect(answer, operation, 404, { error: 'Version not found' })
    },
  ),

  command(
    'updateDocument',
    {},
    fc.record({ pick, changes: body({ ...fields, sortOrder: number }) }),
    async (scene, { pick, changes }) => {
      const operation = 'updateDocument'
      const { segment, found } = idFor(scene, 'documents', pick)
      const given = placed(bodyFor(scene, changes))
      const path = `/api/documents/${segment}`
      const answer = await call(scene, { operation, method: 'PATCH', path, body: given })
      if (!answer) return
      const document = scene.me.rows.documents.get(found)
      if (!document) return expect(answer, operation, 404, notFound)
      if (given.missing.length > 0) return expect(answer, operation, 400, missing(given.missing))
      edit(document, answer, () => Object.assign(document, given.values))
      expect(answer, operation, 200, documentOf(scene.me, document))
    },
  ),

  command('deleteDocument', {}, pick, async (scene, pick) => {
    const operation = 'deleteDocument'
    const { segment, found } = idFor(scene, 'documents', pick)
    const path = `/api/documents/${segment}`
    const answer = await call(scene, { operation, method: 'DELETE', path })
    if (!answer) return
    if (!found) return expect(answer, operation, 404, notFound)
    expect(answer, operation, 200, success)
    forget(scene.me, 'documents', found)
    for (const { documentIds } of scene.me.rows.tasks.values()) documentIds.delete(found)
  }),
]
