// The walls of ARCHITECTURE.md, checked: who may import whom, and what must not stand in the repo.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Each room, and what it may import besides itself. Whatever is not listed is refused. */
const house: Record<string, string[]> = {
  contract: ['zod'],

  // The folders of the scheduler from the bottom up: each may import only what stands above it here.
  'scheduler/model': [],
  'scheduler/problem': ['scheduler/model'],
  'scheduler/objective': ['scheduler/model', 'scheduler/problem'],
  'scheduler/bounds': ['scheduler/problem'],
  'scheduler/placement': ['scheduler/model', 'scheduler/problem', 'scheduler/objective'],
  'scheduler/construction': [
    'scheduler/problem',
    'scheduler/objective',
    'scheduler/bounds',
    'scheduler/placement',
  ],
  'scheduler/local-search': [
    'scheduler/model',
    'scheduler/problem',
    'scheduler/objective',
    'scheduler/placement',
  ],
  'scheduler/explain': ['scheduler/problem', 'scheduler/bounds'],
  'scheduler/solve': [
    'scheduler/model',
    'scheduler/problem',
    'scheduler/objective',
    'scheduler/bounds',
    'scheduler/placement',
    'scheduler/construction',
    'scheduler/local-search',
    'scheduler/explain',
  ],
  // Shares no code with the planner that it checks.
  'scheduler/checker': ['scheduler/model'],
  'scheduler/index': ['scheduler/model', 'scheduler/solve', 'scheduler/checker'],

  client: ['contract', 'zod'],
  web: [
    'client',
    'contract',
    'react',
    'react-dom',
    '@tanstack',
    '@base-ui',
    'lucide-react',
    'chrono-node',
    'temporal-polyfill',
    'idb-keyval',
    '@codemirror',
    '@lezer',
    'react-markdown',
    'remark-gfm',
    'rehype-sanitize',
    '@visx',
  ],
  cli: ['client', 'contract', 'node'],
  mcp: ['client', 'contract', 'node'],

  'server/errors': ['contract'],
  'server/fair-share': [],
  'server/config': ['zod', 'node'],
  'server/embedded-postgres': ['pg', 'node'],
  'server/backup': ['server/db', 'pg', 'node'],
  'server/db': ['server/errors', 'server/fair-share', 'pg', 'node'],
  // Who is calling. Its routes, like those of a slice, are for the door only.
  'server/auth': [
    'server/errors',
    'server/config',
    'server/db',
    'server/http',
    'server/slice',
    'contract',
    'better-auth',
    'kysely',
    'fastify',
    'pg',
    'zod',
    'node',
  ],
  'server/http': [
    'server/errors',
    'server/fair-share',
    'server/db',
    'server/auth',
    'contract',
    'fastify',
    'openapi-types',
    'prom-client',
    'zod',
    'node',
  ],
  // The slice that plans, in threads of its own.
  'server/planner': [
    'server/errors',
    'server/db',
    'server/http',
    'server/slice',
    'contract',
    'scheduler',
    'piscina',
    'node',
  ],
  // Messages to elsewhere.
  'server/webhooks': [
    'server/errors',
    'server/db',
    'server/auth',
    'server/http',
    'server/slice',
    'contract',
    'standardwebhooks',
    'zod',
    'node',
  ],
  'server/history': [
    'server/errors',
    'server/db',
    'server/http',
    'server/slice',
    'server/planner',
    'contract',
    'zod',
    'node',
  ],
  // What Daywright does by itself.
  'server/worker': [
    'server/config',
    'server/db',
    'server/auth',
    'server/http',
    'server/slice',
    'server/planner',
    'server/webhooks',
    'contract',
    'graphile-worker',
    'pg',
    'node',
  ],
  // The web app's files, as they were built.
  'server/web': ['server/errors', 'fastify', 'node'],
  'server/slice': [
    'server/errors',
    'server/fair-share',
    'server/db',
    'server/auth',
    'server/http',
    'server/planner',
    'server/webhooks',
    'server/worker',
    'contract',
    'fastify',
    'zod',
  ],
  'server/app': [
    'server/errors',
    'server/config',
    'server/db',
    'server/auth',
    'server/http',
    'server/slice',
    'server/planner',
    'server/webhooks',
    'server/worker',
    'server/web',
    'fastify',
  ],
  'server/bin': [
    'server/app',
    'server/worker',
    'server/auth',
    'server/config',
    'server/db',
    'server/http',
    'server/planner',
    'server/embedded-postgres',
    'server/backup',
    'node',
  ],
}

const sources = ['contract', 'scheduler', 'client', 'web', 'cli', 'mcp', 'server']
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((file) => `${folder}/${String(file)}`),
  )
  .filter((file) => /^\w+\/(src|bin)\/.*\.tsx?$/.test(file) && !file.includes('.test.'))

describe('imports', () => {
  it.each(sources)('%s keeps to its walls', (file) => {
    const room = roomOf(file)
    const strays = importsOf(file).filter((target) => {
      if (target.endsWith('.routes.ts')) return room !== 'server/app' // only the door sees routes
      return roomOf(target) !== room && !house[room]?.includes(roomOf(target))
    })
    expect(strays, `${room} may import only: ${house[room]?.join(', ')}`).toEqual([])
  })
})

describe('the folders of the scheduler', () => {
  const rooms = Object.keys(house).filter((room) => room.startsWith('scheduler/'))

  it('import only folders that are declared before them', () => {
    const upwards = rooms.flatMap((room, i) =>
      house[room]!.filter((other) => !rooms.slice(0, i).includes(other)),
    )
    expect(upwards).toEqual([])
  })

  it('exist', () => {
    const used = new Set(sources.map(roomOf))
    expect(rooms.filter((room) => !used.has(room))).toEqual([])
  })
})

describe('time', () => {
  const clocks = /\bnew Date\(\)|\bDate\.now\(|Temporal\.Now|performance\.now\(/
  // The embedded server is waited for, and waiting is measured by the clock.
  // In the browser there is no one else to tell it.
  const clockKeepers = /^server\/(bin|src\/embedded-postgres)\/|^web\/src\/time\/clock\.ts$/
  const timed = sources.filter((file) => !clockKeepers.test(file))

  it.each(timed)('%s is told the time', (file) => {
    expect(readFileSync(file, 'utf8')).not.toMatch(clocks)
  })
})

describe('the repository', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
    .toString()
    .split('\n')
    .filter((file) => file && existsSync(file))

  it('names no registry in its lockfile', () => {
    expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(/"resolved": "https?:/)
  })

  it('pins every dependency to an exact version', () => {
    const loose = files
      .filter((file) => file.endsWith('package.json'))
      .flatMap((file) => {
        const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>
        return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
          Object.entries(manifest[kind] ?? {})
            .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
            .map(([name]) => `${file}: ${name}`),
        )
      })
    expect(loose).toEqual([])
  })

  it('runs on one version of Node', () => {
    const { optionalDependencies } = manifestOf('package.json')
    const [, ...images] = readFileSync('Dockerfile', 'utf8').split(/^FROM node:/m)
    const versions = [
      ...Object.entries(optionalDependencies ?? {})
        .filter(([name]) => name.startsWith('node-'))
        .map(([, version]) => version),
      ...images.map((text) => text.split('-')[0]),
      readFileSync('.node-version', 'utf8').trim(),
    ]

    expect(versions.length).toBeGreaterThan(3)
    expect([...new Set(versions)]).toHaveLength(1)
  })

  it('has one version, in every package, the lockfile and the OpenAPI document', () => {
    const { version, workspaces } = manifestOf('package.json')
    const manifests = ['.', ...(workspaces ?? [])].map((folder) =>
      manifestOf(join(folder, 'package.json')),
    )
    const ours = manifests.flatMap((manifest) => [
      manifest.version,
      ...Object.entries(manifest.dependencies ?? {})
        .filter(([name]) => name.startsWith('@daywright/'))
        .map(([, wanted]) => wanted),
    ])
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      version: string
      packages: Record<string, { version: string }>
    }
    const locked = ['', ...(workspaces ?? [])].map((folder) => lock.packages[folder]?.version)
    const openApi = readFileSync('server/src/http/openapi.ts', 'utf8')

    expect(new Set([...ours, lock.version, ...locked])).toEqual(new Set([version]))
    expect(openApi).toContain(`version: '${version}'`)
  })

  it('has no broken link between its Markdown files', () => {
    const broken = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => {
        const links = readFileSync(file, 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)
        return [...links]
          .map(([, target = '']) => join(dirname(file), target))
          .filter((target) => !existsSync(target))
          .map((target) => `${file}: ${target}`)
      })
    expect(broken).toEqual([])
  })

  it('has rules for every folder of sources', () => {
    expect(sources.filter((file) => !(roomOf(file) in house))).toEqual([])
  })
})

type Manifest = {
  version: string
  workspaces?: string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const manifestOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Manifest

/** What a file imports: our own files by their path from the root, packages by their name. */
function importsOf(file: string) {
  const text = readFileSync(file, 'utf8')
  const imported = /(?:\bfrom |\bimport |\bimport\()'([^'\n]+)'/g
  // Threads are started by the address of their file.
  const started = /new URL\('([^']+\.ts)', import\.meta\.url\)/g
  return [...text.matchAll(imported), ...text.matchAll(started)].map(([, target = '']) =>
    target.startsWith('.') ? join(dirname(file), target) : target,
  )
}

/** The resources of the API: each a folder of `server/src`, all under the rules of `server/slice`. */
const slices = new Set([
  'admin',
  'api-keys',
  'changes',
  'checklist-items',
  'documents',
  'events',
  'labels',
  'notifications',
  'projects',
  'schedule-preferences',
  'settings',
  'spaces',
  'tasks',
  'time-blocks',
  'usage',
  'user',
])

function roomOf(path: string) {
  const [, server] = path.match(/^server\/(?:src\/)?([\w-]+)/) ?? []
  if (server) return `server/${slices.has(server) ? 'slice' : server}`
  const [, scheduler] = path.match(/^scheduler\/src\/([\w-]+)/) ?? []
  if (scheduler) return `scheduler/${scheduler}`
  if (path.startsWith('node:')) return 'node'
  if (path.includes('fastify')) return 'fastify' // and its plugins
  return path.replace('@daywright/', '').split('/')[0] ?? path
}
