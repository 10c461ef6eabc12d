import { useZone } from '../../data/profile.ts'
import type { FullDocument } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ExternalLink, Trash2 } from 'lucide-react'
import {
  deleteDocument,
  type DocumentChanges,
  updateDocument,
} from '../../data/actions/documents.ts'
import { perform } from '../../data/run-mutation.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { formatWhen } from '../../time/format.ts'
import { Button } from '../../ui/button.tsx'
import { Options, SelectField } from '../../ui/field.tsx'
import { Panel } from '../../ui/screen.tsx'
import { AddressField } from './address-field.tsx'
import { types } from './document-types.ts'
import { LinkedTasks } from './linked-tasks.tsx'
import { safeUrl } from './markdown/safe-url.ts'

type Props = { document: FullDocument; onClose: () => void }

export function DetailsPanel({ document, onClose }: Props) {
  const navigate = useNavigate()
  const zone = useZone()
  const now = useNow()
  const address = document.url === null ? undefined : safeUrl(document.url)

  async function remove() {
    // Navigate first: the shown document would otherwise be fetched again and be missing.
    await navigate({ to: '/documents' })
    await perform(deleteDocument(document))
  }

  return (
    <Panel label="Document details" title="Details" onClose={onClose}>
      <div className="flex flex-col gap-4 p-4">
        <KindAndPlace document={document} />
        <AddressField document={document} />
        {address !== undefined && (
          <a
            className="-mt-2 inline-flex items-center gap-1 text-xs underline"
            href={address}
            target="_blank"
            rel="noopener noreferrer"
          >
            <ExternalLink size={13} aria-hidden="true" /> Open link
          </a>
        )}
        <LinkedTasks document={document} />
        <p className="text-xs text-ink-3 tabular">
          Created {formatWhen(document.createdAt, zone, now)}
          <br />
          Changed {formatWhen(document.updatedAt, zone, now)}
        </p>
        <div>
          <Button look="danger" onClick={() => void remove()}>
            <Trash2 size={14} aria-hidden="true" /> Delete
          </Button>
        </div>
      </div>
    </Panel>
  )
}

function KindAndPlace({ document }: { document: FullDocument }) {
  const { data: projects = [] } = useQuery(queries.projects())
  const { data: spaces = [] } = useQuery(queries.spaces())
  const change = (changes: DocumentChanges, says: string) =>
    void perform(updateDocument(document, changes, says))
  return (
    <>
      <SelectField
        label="Kind"
        value={document.docType}
        onChange={({ target }) =>
          change({ docType: target.value as FullDocument['docType'] }, 'Changed the kind.')
        }
      >
        {Object.entries(types).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Project"
        value={document.projectId ?? ''}
        onChange={({ target }) =>
          change(
            { projectId: target.value || null },
            target.value ? 'Moved to the project.' : 'Removed from its project.',
          )
        }
      >
        <option value="">None</option>
        <Options of={projects} />
      </SelectField>
      <SelectField
        label="Space"
        value={document.spaceId ?? ''}
        onChange={({ target }) =>
          change(
            { spaceId: target.value || null },
            target.value ? 'Moved to the space.' : 'Removed from its space.',
          )
        }
      >
        <option value="">None</option>
        <Options of={spaces} />
      </SelectField>
    </>
  )
}
