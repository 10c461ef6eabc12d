import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const contract = fileURLToPath(new URL('../../contract/src/', import.meta.url))
const answers = fileURLToPath(new URL('./answers.ts', import.meta.url))
const name = '\0daywright-contract'

/** Gives the client `answers.ts` for its schemas, under every name that the contract exports. */
export function withoutZod(): Plugin {
  return {
    name: 'daywright:without-zod',
    enforce: 'pre',
    resolveId: (source) =>
      source === '@daywright/contract' ? name : source === 'zod' ? answers : undefined,
    load: (id) => (id === name ? namesOfContract() : undefined),
  }
}

function namesOfContract() {
  const own = ['Id', 'nobody']
  const names = readdirSync(contract)
    .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
    .flatMap((file) => [
      ...readFileSync(contract + file, 'utf8').matchAll(/^export const ([A-Z]\w+)/gm),
    ])
    .map(([, schema = '']) => schema)
    .filter((schema) => !own.includes(schema))
  return [
    `export { Id, nobody } from ${JSON.stringify(answers)}`,
    `export { ${names.map((schema) => `answer as ${schema}`).join(', ')} } from ${JSON.stringify(answers)}`,
  ].join('\n')
}
