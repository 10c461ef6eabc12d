import { useZone } from '../../data/profile.ts'
import type { ListedDocument } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useCommands } from '../../ui/commands/registry.ts'
import { createDocument } from '../../data/actions/documents.ts'
import { perform } from '../../data/run-mutation.ts'
import { queries } from '../../data/queries.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { useNow } from '../../time/clock.ts'
import { formatWhen } from '../../time/format.ts'
import { Swatch } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EarlyKeys } from '../../ui/early-keys.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Screen } from '../../ui/screen.tsx'
import { types } from './document-types.ts'
import { excerptOf } from './excerpt.ts'
import { setNewTitle } from './new-title.ts'

export function DocumentsScreen() {
  const { data: documents, error: listError } = useQuery(queries.documents())
  const [words, setWords] = useState('')
  const { add, isAdding, typed } = useNewDocument()
  useCommands([
    {
      id: 'documents.add',
      title: 'New document',
      group: 'Documents',
      keys: 'n',
      run: () => void add(),
    },
  ])

  const wanted = words.trim().toLowerCase()
  const isSearching = wanted !== ''
  const { data: texts, error } = useQuery({ ...queries.documentTexts(), enabled: isSearching })
  const shown = (documents ?? [])
    .filter(({ id, title, content }) =>
      `${title}\n${texts?.get(id) ?? content}`.toLowerCase().includes(wanted),
    )
    .toSorted((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime())

  return (
    <Screen
      title="Documents"
      lead={<span className="text-ink-3 tabular">{documents?.length}</span>}
      actions={
        <>
          <input
            type="search"
            aria-label="Find in documents"
            placeholder="Find"
            className="input w-32 md:w-52"
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
          <Button look="primary" keys="n" onClick={() => void add()}>
            <Plus size={15} aria-hidden="true" /> New
          </Button>
        </>
      }
    >
      {isAdding && (
        <div className="sr-only">
          <EarlyKeys onType={(text) => (typed.current = text)} />
        </div>
      )}
      <div className="min-h-0 flex-1 overflow-y-auto pb-20">
        {listError && !documents && <NotLoaded what="list" error={listError} />}
        {documents?.length === 0 && (
          <EmptyState
            title="No documents yet"
            action={<Button onClick={() => void add()}>Write the first one</Button>}
          >
            Markdown notes. They stay exactly as you type them.
          </EmptyState>
        )}
        {isSearching && !texts && (
          <p role="status" className="border-b px-4 py-2 text-xs text-ink-3">
            {error
              ? 'The texts could not be loaded: only titles and first lines are searched.'
              : 'Searching the texts'}
          </p>
        )}
        {isSearching && texts && shown.length === 0 && (
          <EmptyState title="No documents found">Try other words.</EmptyState>
        )}
        <ul>
          {shown.map((document) => (
            <Row key={document.id} document={document} />
          ))}
        </ul>
      </div>
    </Screen>
  )
}

/** Creates a document and opens it. What is typed meanwhile becomes its title. */
function useNewDocument() {
  const [isAdding, setAdding] = useState(false)
  const typed = useRef('')
  const navigate = useNavigate()

  async function add() {
    if (isAdding) return
    typed.current = ''
    setAdding(true)
    const made = await perform(createDocument({ title: 'Untitled', content: '' }))
    if (!made.ok) return setAdding(false)
    setNewTitle({ id: made.answer.id, typed: () => typed.current })
    await navigate({ to: '/documents/$id', params: { id: made.answer.id } })
  }
  return { add, isAdding, typed }
}

function Row({ document }: { document: ListedDocument }) {
  const zone = useZone()
  const now = useNow()
  const { label, Icon } = types[document.docType]
  const place = document.project ?? document.space
  return (
    <li>
      <Link
        to="/documents/$id"
        params={{ id: document.id }}
        className="flex min-h-12 items-center gap-3 border-b px-4 py-2 hover:bg-hover"
      >
        <Icon size={16} className="flex-none text-ink-3" aria-label={label} />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{document.title}</span>
          <span className="block truncate text-xs text-ink-3">
            {excerptOf(document.title, document.content)}
          </span>
        </span>
        <span className="hidden w-40 flex-none items-center gap-1.5 text-xs text-ink-2 md:flex">
          {place && (
            <>
              <Swatch color={place.color} />
              <span className="truncate">{place.name}</span>
            </>
          )}
        </span>
        <time
          dateTime={document.updatedAt.toISOString()}
          className="w-28 flex-none text-right text-xs text-ink-3 tabular"
        >
          {formatWhen(document.updatedAt, zone, now)}
        </time>
      </Link>
    </li>
  )
}
