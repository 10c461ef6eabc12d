// Planted faults are patches in proof/faults. The text before the first file of a patch is its title, followed by
// fields for the harness, such as `control: guessing`.
import { readdirSync, readFileSync } from 'node:fs'
import type { Mutant } from './harness.ts'
import { parsePatch } from './patch.ts'

const root = new URL('../../../', import.meta.url)

/** All faults of a harness, in the order of their file names. */
export const faultsOf = (harness: string): Mutant[] =>
  readdirSync(new URL(`proof/faults/${harness}/`, root))
    .filter((file) => file.endsWith('.patch'))
    .toSorted()
    .map((file) => readFault(harness, file.replace(/\.patch$/, '')))

/** A fault by the name of its harness and of its file. */
export function readFault(harness: string, file: string): Mutant {
  const patch = `proof/faults/${harness}/${file}.patch`
  const [name = '', ...fields] = parsePatch(readFileSync(new URL(patch, root), 'utf8'))
    .head.split('\n')
    .filter((line) => line !== '')
  return { name, patch, ...Object.assign({}, ...fields.map((field) => readField(patch, field))) }
}

function readField(patch: string, field: string): Partial<Mutant> {
  const [, key, value = ''] = /^(\w+): (.+)$/.exec(field) ?? []
  if (key === 'control' || key === 'shows') return { [key]: value }
  if (key === 'settings')
    return { settings: Object.fromEntries(value.split(' ').map((setting) => setting.split('='))) }
  throw new Error(`${patch} has an unknown field: ${field}`)
}
