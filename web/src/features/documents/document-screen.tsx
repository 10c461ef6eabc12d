import type { FullDocument } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { PanelRight } from 'lucide-react'
import { useCommands } from '../../ui/commands/registry.ts'
import { queries } from '../../data/queries.ts'
import { IconButton } from '../../ui/button.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { Screen } from '../../ui/screen.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { ConflictBar } from './conflict-bar.tsx'
import { DetailsPanel } from './details-panel.tsx'
import type { View } from './view.ts'
import { SaveMark } from './save-mark.tsx'
import { DocumentTitle } from './document-title.tsx'
import { useAutosave } from './use-autosave.ts'
import { EditorAndPreview } from './editor-and-preview.tsx'

const route = getRouteApi('/app/documents/$id')

export function DocumentScreen() {
  const { id } = route.useParams()
  const { data: document, error } = useQuery(queries.document(id))
  if (document) return <Opened key={id} document={document} />
  return (
    <Screen title="Document">
      {error && (
        <NotLoaded
          what="document"
          error={error}
          action={<Link to="/documents">All documents</Link>}
        />
      )}
    </Screen>
  )
}

const views: { value: View; label: string }[] = [
  { value: 'edit', label: 'Edit' },
  { value: 'both', label: 'Both' },
  { value: 'preview', label: 'Preview' },
]

function Opened({ document }: { document: FullDocument }) {
  const { view = defaultView(), details } = route.useSearch()
  const navigate = route.useNavigate()
  const { text, sheet, state, theirs, write, save, settle } = useAutosave(document)
  const show = (next: View) =>
    void navigate({ search: (search) => ({ ...search, view: next }), replace: true })
  const toggleDetails = () =>
    void navigate({ search: (search) => ({ ...search, details: !details }), replace: true })
  useCommands([
    {
      id: 'document.write',
      title: 'Edit',
      group: 'Document',
      keys: 'alt+1',
      run: () => show('edit'),
    },
    {
      id: 'document.both',
      title: 'Edit and preview',
      group: 'Document',
      keys: 'alt+2',
      run: () => show('both'),
    },
    {
      id: 'document.read',
      title: 'Preview',
      group: 'Document',
      keys: 'alt+3',
      run: () => show('preview'),
    },
    {
      id: 'document.details',
      title: 'Document details',
      group: 'Document',
      keys: '\\',
      run: toggleDetails,
    },
  ])

  return (
    <Screen
      title={
        <>
          <Link to="/documents" className="text-ink-2 hover:text-ink">
            Documents
          </Link>
          <span className="sr-only">: {document.title}</span>
        </>
      }
      lead={<SaveMark state={state} onRetry={() => void save()} />}
      actions={
        <>
          <SegmentedControl label="View" value={view} options={views} onChange={show} />
          <IconButton
            label="Details"
            keys="\"
            aria-pressed={Boolean(details)}
            icon={<PanelRight size={16} />}
            onClick={toggleDetails}
          />
        </>
      }
      panel={details && <DetailsPanel document={document} onClose={toggleDetails} />}
    >
      {theirs !== undefined && <ConflictBar mine={text} theirs={theirs} onSettle={settle} />}
      <DocumentTitle document={document} />
      <EditorAndPreview
        view={view}
        text={text}
        sheet={sheet}
        onChange={write}
        onLeave={() => void save()}
      />
    </Screen>
  )
}

const defaultView = (): View => (matchMedia('(width >= 64rem)').matches ? 'both' : 'edit')
