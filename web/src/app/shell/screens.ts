import { CalendarDays, FileText, FolderKanban, ListTodo, Sun } from 'lucide-react'

/** The main screens: first in the navigation, and tabs on a phone. */
export const screens = [
  { to: '/today', label: 'Today', keys: 'g t', Icon: Sun, isTab: true },
  { to: '/calendar', label: 'Calendar', keys: 'g c', Icon: CalendarDays, isTab: true },
  { to: '/tasks', label: 'Tasks', keys: 'g k', Icon: ListTodo, isTab: true },
  { to: '/projects', label: 'Projects', keys: 'g p', Icon: FolderKanban, isTab: true },
  { to: '/documents', label: 'Documents', keys: 'g d', Icon: FileText, isTab: false },
]
