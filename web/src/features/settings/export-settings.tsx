import { Download } from 'lucide-react'
import { useState } from 'react'
import { errorMessage } from '../../data/run-mutation.ts'
import { useZone } from '../../data/profile.ts'
import { dayOf } from '../../time/zone.ts'
import { now } from '../../time/clock.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../data/toasts.ts'
import { exportAllData } from './export-all-data.ts'
import { SettingsHead } from './settings-head.tsx'

export function ExportSettings() {
  const [step, setStep] = useState<string>()
  const zone = useZone()

  async function save() {
    try {
      const everything = await exportAllData(setStep)
      const file = new Blob([JSON.stringify(everything, undefined, 2)], {
        type: 'application/json',
      })
      download(file, `daywright-${dayOf(now(), zone).toString()}.json`)
      toast('Your data has been exported.')
    } catch (error) {
      toast(`Nothing was saved. ${errorMessage(error)}`, { tone: 'error' })
    } finally {
      setStep(undefined)
    }
  }

  return (
    <>
      <SettingsHead title="Export">
        All your data in one JSON file: tasks with their checklists, projects, documents, spaces,
        labels, the calendar, hours, settings and notifications, each as the API returns it.
      </SettingsHead>
      <Button look="primary" size="large" disabled={step !== undefined} onClick={() => void save()}>
        <Download size={16} aria-hidden="true" />
        {step === undefined ? 'Export all data (JSON)' : `Reading ${step}`}
      </Button>
      <p role="status" className="sr-only">
        {step && `Reading ${step}`}
      </p>
    </>
  )
}

function download(file: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // Delayed: the browser has yet to start the download.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
