import type { Profile } from '@daywright/contract'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Mark } from '../../ui/mark.tsx'
import { api } from '../../data/api.ts'
import { cache } from '../../data/query-client.ts'
import { keys } from '../../data/keys.ts'
import { queries } from '../../data/queries.ts'
import { now } from '../../time/clock.ts'
import { dayOf, plusMinutes } from '../../time/zone.ts'
import { Button } from '../../ui/button.tsx'
import { FirstTasks } from './first-tasks.tsx'
import { WorkingHours } from './working-hours.tsx'
import { YourZone } from './your-zone.tsx'

const fortnight = (from: Date) => ({ from, to: plusMinutes(from, 14 * 1440) })

const steps = ['Time zone', 'Working hours', 'First tasks'] as const

/** From a new account to a first plan: three questions, each of which can be skipped. */
export function WelcomeScreen() {
  const [step, setStep] = useState(0)
  const navigate = useNavigate()
  const next = () => (step < 2 ? setStep(step + 1) : void finish())
  /** Opens the week of the first planned block; on a Sunday this is usually the next week. */
  async function finish() {
    const [first] = await api.timeBlocks.list(fortnight(now())).catch(() => [])
    const zone = cache.getQueryData<Profile>(keys.profile)?.timezone
    const search = first && zone ? { w: dayOf(first.startAt, zone).toString() } : {}
    await navigate({ to: '/calendar', search })
  }
  useEffect(() => {
    void cache.prefetchQuery(queries.profile())
    void cache.prefetchQuery(queries.preferences())
  }, [])

  return (
    <main id="main" className="flex h-full flex-col overflow-y-auto bg-panel px-4">
      <header className="mx-auto flex w-full max-w-[560px] flex-none items-center gap-3 pt-8">
        <Mark size={28} />
        <ol className="flex flex-1 gap-1.5" aria-label="Steps">
          {steps.map((name, index) => (
            <li
              key={name}
              aria-current={index === step ? 'step' : undefined}
              className={`h-1 flex-1 rounded-full ${index <= step ? 'bg-ink' : 'bg-line-strong'}`}
            >
              <span className="sr-only">{name}</span>
            </li>
          ))}
        </ol>
        <Button look="quiet" onClick={next}>
          Skip
        </Button>
      </header>
      <div className="mx-auto my-auto w-full max-w-[560px] py-8">
        {step === 0 && <YourZone onDone={next} />}
        {step === 1 && <WorkingHours onDone={next} />}
        {step === 2 && <FirstTasks onDone={next} />}
      </div>
    </main>
  )
}
