import type { Document } from '@daywright/contract'
import { BookOpen, FileText, Link2, ScrollText } from 'lucide-react'

export const types: Record<Document['docType'], { label: string; Icon: typeof FileText }> = {
  note: { label: 'Note', Icon: FileText },
  spec: { label: 'Specification', Icon: ScrollText },
  reference: { label: 'Reference', Icon: BookOpen },
  link: { label: 'Link', Icon: Link2 },
}
