// Writes quality.json, the reference for gate.test.ts: run it after a change that is meant to change
// plans, and review the result before you commit it.
import { writeFileSync } from 'node:fs'
import { plan } from '../src/index.ts'
import { readBounds } from './bounds.ts'
import { mean } from './figures.ts'
import { weeks } from './instances.ts'
import { measure } from './measure.ts'

const bounds = readBounds()
const quality = Object.fromEntries(
  [50, 200].map((size) => {
    const measures = weeks(size).map((instance) =>
      measure({ name: 'Daywright', plan }, instance, bounds),
    )
    return [size, Number(mean(measures.map((one) => one.excess)).toFixed(4))]
  }),
)
const text = JSON.stringify(quality, null, 1).replaceAll(/\n */g, ' ')
writeFileSync(new URL('quality.json', import.meta.url), `${text}\n`)
process.stdout.write(`${text}\n`)
