import type { FullTask } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileText, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { linkDocument, unlinkDocument } from '../../../data/actions/task-links.ts'
import { perform } from '../../../data/run-mutation.ts'
import { queries } from '../../../data/queries.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Anchored } from '../fields/anchored.tsx'
import { PickList } from '../fields/pick-list.tsx'
import { Quiet, Section } from './section.tsx'

export function LinkedDocuments({ task }: { task: FullTask }) {
  const [anchor, setAnchor] = useState<HTMLElement>()
  return (
    <Section
      title="Documents"
      actions={
        <IconButton
          label="Link a document"
          className="size-6"
          icon={<Plus size={14} />}
          onClick={({ currentTarget }) => setAnchor(currentTarget)}
        />
      }
    >
      {task.documents.length === 0 && <Quiet>None linked.</Quiet>}
      <ul>
        {task.documents.map((document) => (
          <li
            key={document.id}
            className="group -mx-1 flex min-h-7 items-center gap-2 rounded-control px-1 hover:bg-hover"
          >
            <FileText size={14} aria-hidden="true" className="text-ink-3" />
            <Link
              to="/documents/$id"
              params={{ id: document.id }}
              className="min-w-0 flex-1 truncate py-1 hover:underline"
            >
              {document.title}
            </Link>
            <IconButton
              label={`Unlink “${document.title}”`}
              className="size-6 on-hover"
              icon={<X size={13} />}
              onClick={() => void perform(unlinkDocument(task, document))}
            />
          </li>
        ))}
      </ul>
      {anchor && (
        <Anchored anchor={anchor} label="Link a document" onClose={() => setAnchor(undefined)}>
          <DocumentPicker task={task} onDone={() => setAnchor(undefined)} />
        </Anchored>
      )}
    </Section>
  )
}

function DocumentPicker({ task, onDone }: { task: FullTask; onDone: () => void }) {
  const { data: documents = [] } = useQuery(queries.documents())
  const linked = new Set(task.documents.map(({ id }) => id))
  return (
    <PickList
      label="Find a document"
      placeholder="Find a document"
      options={documents
        .filter(({ id }) => !linked.has(id))
        .map(({ id, title }) => ({ key: id, name: title, icon: <FileText size={14} /> }))}
      onPick={(key) => {
        onDone()
        const document = documents.find(({ id }) => id === key)
        if (document) void perform(linkDocument(task, document))
      }}
    />
  )
}
