// A function of the scheduler or the web app has at most 80 lines, or a comment with the reason above it.
import { readdirSync, readFileSync } from 'node:fs'
import { type ESTree, parseSync, Visitor } from 'vite'
import { describe, expect, it } from 'vitest'

const mostLines = 80
const reason = /^\s*\/\/ Long because ./

const sources = ['scheduler/src', 'web/src']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((file) => `${folder}/${String(file)}`),
  )
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))

it('no function is long without a reason', () => {
  const long = sources.flatMap((file) => longFunctionsIn(file, readFileSync(file, 'utf8')))
  expect(long).toEqual([])
})

describe('a long function', () => {
  const lines = (count: number) => '  step()\n'.repeat(count)

  it('has more than 80 lines, including its first and last', () => {
    expect(longFunctionsIn('a.ts', `function plan() {\n${lines(78)}}`)).toEqual([])
    expect(longFunctionsIn('a.ts', `function plan() {\n${lines(79)}}`)).toEqual([
      'a.ts:1: plan has 81 lines',
    ])
  })

  it('is found in a call with JSX, in an object and in a class', () => {
    const text = [
      `const Row = memo(() => {\n${lines(80)}  return <li />\n})`,
      `const handlers = { open() {\n${lines(80)}} }`,
      `class Queue { add() {\n${lines(80)}} }`,
    ].join('\n')

    expect(longFunctionsIn('a.tsx', text)).toEqual([
      'a.tsx:1: Row has 83 lines',
      'a.tsx:84: open has 82 lines',
      'a.tsx:166: add has 82 lines',
    ])
  })

  it('contains its nested functions', () => {
    const text = `function plan() {\n  const place = () => {\n${lines(40)}  }\n${lines(40)}}`

    expect(longFunctionsIn('a.ts', text)).toEqual(['a.ts:1: plan has 84 lines'])
  })

  it('is allowed only with a reason on the line above', () => {
    const text = `export function plan() {\n${lines(80)}}`

    expect(longFunctionsIn('a.ts', `// Long because it is one table.\n${text}`)).toEqual([])
    expect(longFunctionsIn('a.ts', `// Long because\n${text}`)).toHaveLength(1)
    expect(longFunctionsIn('a.ts', `// Plans.\n${text}`)).toHaveLength(1)
    expect(longFunctionsIn('a.ts', `// Long because of a table.\n\n${text}`)).toHaveLength(1)
  })
})

function longFunctionsIn(file: string, text: string) {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const lines = text.split('\n')
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
  /** The names of the variables and methods around the current node. */
  const names: string[] = []
  const found: string[] = []

  const measure = (node: ESTree.Function | ESTree.ArrowFunctionExpression) => {
    const first = lineOf(node.start)
    const length = lineOf(node.end) - first + 1
    if (length <= mostLines || reason.test(lines[first - 2] ?? '')) return
    found.push(`${file}:${first}: ${node.id?.name ?? names.at(-1)} has ${length} lines`)
  }
  const enter = ({ start, end }: ESTree.Span) => void names.push(text.slice(start, end))
  const leave = () => void names.pop()

  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
    VariableDeclarator: ({ id }) => enter(id),
    'VariableDeclarator:exit': leave,
    Property: ({ key }) => enter(key),
    'Property:exit': leave,
    MethodDefinition: ({ key }) => enter(key),
    'MethodDefinition:exit': leave,
  }).visit(program)
  return found
}
