import type { FullProject } from '@daywright/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { createDocument } from '../../data/actions/documents.ts'
import { perform } from '../../data/run-mutation.ts'
import { types } from '../documents/document-types.ts'
import { IconButton } from '../../ui/button.tsx'

export function ProjectDocuments({ project }: { project: FullProject }) {
  const navigate = useNavigate()

  async function add() {
    const document = { title: 'Untitled', content: '', projectId: project.id }
    const made = await perform(createDocument(document))
    if (made.ok) await navigate({ to: '/documents/$id', params: { id: made.answer.id } })
  }

  return (
    <section aria-labelledby="project-documents">
      <div className="mb-1 flex items-center">
        <h2 id="project-documents" className="flex-1 text-base font-semibold">
          Documents
        </h2>
        <IconButton
          label="New document in this project"
          icon={<Plus size={15} />}
          onClick={() => void add()}
        />
      </div>
      {project.documents.length === 0 && (
        <p className="text-ink-3">Notes, specifications and links go here.</p>
      )}
      <ul>
        {project.documents.map(({ id, title, docType }) => {
          const { label, Icon } = types[docType]
          return (
            <li key={id}>
              <Link
                to="/documents/$id"
                params={{ id }}
                className="-mx-2 flex min-h-8 items-center gap-2 rounded-control px-2 hover:bg-hover"
              >
                <Icon size={15} className="flex-none text-ink-3" aria-label={label} />
                <span className="truncate">{title}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
