// In the browser, the contract's schemas are replaced by decoders generated at build time (docs/decisions/0027).
// They check shapes and types as Zod does, without its size.
import { fileURLToPath } from 'node:url'
import * as contract from '@daywright/contract'
import type { Plugin } from 'vite'
import { z } from 'zod'

const parts = fileURLToPath(new URL('./decode.ts', import.meta.url))
const moduleId = '\0daywright-contract'

export function contractDecoders(): Plugin {
  return {
    name: 'daywright:contract-decoders',
    enforce: 'pre',
    resolveId: (source) => (source === '@daywright/contract' ? moduleId : undefined),
    load: (id) => (id === moduleId ? generateDecoders(contract) : undefined),
  }
}

/**
 * The source of a module that exports a decoder for each schema, by its name. A schema for requests that
 * transforms its input has none: the build fails if the app imports it.
 */
export function generateDecoders(exported: Record<string, unknown>) {
  const generator = newGenerator()
  const lines = Object.entries(exported).flatMap(([name, value]) => {
    if (typeof value === 'string') return [`export const ${name} = ${JSON.stringify(value)}`]
    if (!(value instanceof z.ZodType)) return []
    const decoder = generator.decoderOf(value)
    return decoder === undefined
      ? []
      : [`export const ${name} = /* @__PURE__ */ part.schema(${decoder})`]
  })
  return [
    `import * as part from ${JSON.stringify(parts)}`,
    ...generator.constants(),
    ...lines,
    '',
  ].join('\n')
}

type Field = string | undefined

function newGenerator() {
  // Equal parts of schemas share one constant.
  const names = new Map<string, string>()

  function constant(expression: string) {
    const name = names.get(expression) ?? `decode${names.size}`
    names.set(expression, name)
    return name
  }

  const call = (part: string, ...args: Field[]): Field =>
    args.includes(undefined) ? undefined : constant(`part.${part}(${args.join(', ')})`)

  function fieldsOf(shape: Record<string, z.core.$ZodType>): Field {
    const fields = Object.entries(shape).map(([name, field]) => [name, decoderOf(field)] as const)
    if (fields.some(([, decoder]) => decoder === undefined)) return undefined
    return `{ ${fields.map(([name, decoder]) => `${JSON.stringify(name)}: ${decoder}`).join(', ')} }`
  }

  /** The name of its decoder; undefined if a part of it cannot be generated. */
  function decoderOf(of: z.core.$ZodType): Field {
    const { def } = of as unknown as { def: z.core.$ZodTypes['_zod']['def'] }
    switch (def.type) {
      case 'string': {
        const pattern = patternOf(of)
        return pattern ? call('matching', String(pattern)) : 'part.string'
      }
      case 'number':
        return of instanceof z.ZodNumberFormat ? 'part.int' : 'part.number'
      case 'boolean':
        return 'part.boolean'
      case 'unknown':
        return 'part.unknown'
      case 'enum':
        return call('oneOf', ...Object.values(def.entries).map((each) => JSON.stringify(each)))
      case 'literal':
        return call('oneOf', ...def.values.map((each) => JSON.stringify(each)))
      case 'nullable':
        return call('nullable', decoderOf(def.innerType))
      case 'optional':
        return call('optional', decoderOf(def.innerType))
      case 'default':
        return call('orElse', decoderOf(def.innerType), JSON.stringify(def.defaultValue))
      case 'array':
        return call('array', decoderOf(def.element))
      case 'record':
        return call('record', decoderOf(def.valueType))
      case 'union':
        return call('union', ...def.options.map(decoderOf))
      case 'object':
        return call(def.catchall ? 'looseObject' : 'object', fieldsOf(def.shape))
      case 'pipe':
        return def.out instanceof z.ZodDate ? call('date', String(patternOf(def.in))) : undefined
      default:
        return undefined
    }
  }

  return {
    decoderOf,
    constants: () =>
      [...names].map(([expression, name]) => `const ${name} = /* @__PURE__ */ ${expression}`),
  }
}

/** For an id, a timestamp or a text with a pattern; the service checks lengths. */
function patternOf(of: z.core.$ZodType): RegExp | undefined {
  const { def } = of as z.ZodString
  // oxlint-disable-next-line no-underscore-dangle
  const checks = (def.checks ?? []).map((check) => check._zod.def)
  return [def, ...checks]
    .map((each) => ('pattern' in each ? (each.pattern as RegExp | undefined) : undefined))
    .find((pattern) => pattern !== undefined)
}
