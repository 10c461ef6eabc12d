import { type Device, setDevice, useDevice } from '../../ui/device.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { SettingsHead } from './settings-head.tsx'

const themes: { value: Device['theme']; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]
const densities: { value: Device['density']; label: string }[] = [
  { value: 'compact', label: 'Compact' },
  { value: 'normal', label: 'Normal' },
  { value: 'roomy', label: 'Comfortable' },
]

export function AppearanceSettings() {
  const { theme, density } = useDevice()
  return (
    <>
      <SettingsHead title="Appearance">For this device only.</SettingsHead>
      <div className="flex flex-col gap-5">
        <div className="flex flex-wrap items-center gap-3">
          <span className="w-32 font-medium">Theme</span>
          <SegmentedControl
            label="Theme"
            value={theme}
            options={themes}
            onChange={(value) => setDevice({ theme: value })}
          />
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <span className="w-32 font-medium">Density</span>
          <SegmentedControl
            label="Density"
            value={density}
            options={densities}
            onChange={(value) => setDevice({ density: value })}
          />
        </div>
      </div>
    </>
  )
}
