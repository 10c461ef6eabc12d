// Tests the rules of ARCHITECTURE.md: which folder may import which, and what the repository must not
// contain.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Each folder, and what it may import besides itself. Everything else is refused. */
const house: Record<string, string[]> = {
  contract: ['zod'],
  'quick-add': ['contract'],
  ical: [],
  caldav: ['saxes', 'tldts'],
  recurrence: ['ical'],

  // The folders of the scheduler from the bottom up: each may import only those listed above it.
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
  'scheduler/forecast': [
    'scheduler/model',
    'scheduler/problem',
    'scheduler/local-search',
    'scheduler/solve',
  ],
  // Shares no code with the planner that it checks.
  'scheduler/checker': ['scheduler/model'],
  'scheduler/index': [
    'scheduler/model',
    'scheduler/solve',
    'scheduler/forecast',
    'scheduler/checker',
  ],

  client: ['contract', 'zod'],
  // The folders of the web app from the bottom up.
  'web/time': ['react'],
  'web/data': ['web/time', 'client', 'contract', 'scheduler', 'react', '@tanstack', 'idb-keyval'],
  'web/ui': [
    'web/time',
    'web/data',
    'contract',
    'react',
    'react-dom',
    '@tanstack',
    '@base-ui',
    'lucide-react',
    '@visx',
  ],
  'web/features': [
    'web/time',
    'web/data',
    'web/ui',
    'client',
    'contract',
    'quick-add',
    'react',
    'react-dom',
    '@tanstack',
    '@base-ui',
    'lucide-react',
    '@codemirror',
    '@lezer',
    'react-markdown',
    'remark-gfm',
    'rehype-sanitize',
  ],
  'web/app': [
    'web/time',
    'web/data',
    'web/ui',
    'web/features',
    'web/styles',
    'client',
    'contract',
    'react',
    'react-dom',
    '@tanstack',
    'lucide-react',
    'temporal-polyfill',
  ],
  cli: ['client', 'contract', 'node'],
  mcp: ['client', 'contract', 'node'],

  // The folders of the server from the bottom up: platform, features, jobs.
  'server/config': ['zod', 'node'],
  'server/platform/errors': ['contract'],
  'server/platform/fair-share': [],
  'server/platform/parse-json': [],
  'server/platform/embedded-postgres': ['pg', 'node'],
  'server/platform/static-web': ['server/platform/errors', 'fastify', 'node'],
  'server/platform/db': ['server/platform/errors', 'server/platform/fair-share', 'pg', 'node'],
  'server/platform/backup': ['server/platform/db', 'pg', 'node'],
  'server/platform/outbound': ['node'],
  'server/platform/readers': ['node'],
  'server/platform/watchdog': ['node'],
  'server/platform/auth': [
    'server/platform/errors',
    'server/platform/db',
    'contract',
    'better-auth',
    'fastify',
    'kysely',
    'pg',
    'zod',
    'node',
  ],
  'server/platform/http': [
    'server/platform/errors',
    'server/platform/fair-share',
    'server/platform/db',
    'server/platform/auth',
    'contract',
    'fastify',
    'openapi-types',
    'prom-client',
    'zod',
    'node',
  ],
  'server/features': [
    'server/config',
    'server/platform/errors',
    'server/platform/parse-json',
    'server/platform/fair-share',
    'server/platform/db',
    'server/platform/auth',
    'server/platform/http',
    'server/platform/outbound',
    'server/platform/readers',
    'contract',
    'scheduler',
    'quick-add',
    'ical',
    'caldav',
    'recurrence',
    'fastify',
    'piscina',
    'standardwebhooks',
    'zod',
    'node',
  ],
  'server/jobs': [
    'server/config',
    'server/platform/errors',
    'server/platform/db',
    'server/platform/auth',
    'server/platform/http',
    'server/platform/outbound',
    'server/features',
    'contract',
    'graphile-worker',
    'pg',
    'zod',
    'node',
  ],
  'server/app': [
    'server/config',
    'server/platform/errors',
    'server/platform/parse-json',
    'server/platform/static-web',
    'server/platform/db',
    'server/platform/auth',
    'server/platform/http',
    'server/platform/outbound',
    'server/features',
    'server/jobs',
    'fastify',
  ],
  'server/bin': [
    'server/config',
    'server/platform/embedded-postgres',
    'server/platform/db',
    'server/platform/backup',
    'server/platform/auth',
    'server/platform/http',
    'server/platform/watchdog',
    'server/features',
    'server/jobs',
    'server/app',
    'node',
  ],
}

/** Packages that only one feature of the server may import, or a few. */
const owners: Record<string, string[]> = {
  scheduler: ['server/src/features/planner/'],
  'quick-add': ['server/src/features/quick-add/'],
  caldav: [
    'server/src/features/calendars/',
    'server/src/features/connected-accounts/',
    'server/src/features/plan-calendars/',
  ],
  ical: [
    'server/src/features/calendars/',
    'server/src/features/connected-accounts/',
    'server/src/features/feeds/',
    'server/src/features/plan-calendars/',
  ],
  recurrence: ['server/src/features/recurrences/'],
  standardwebhooks: ['server/src/features/webhooks/'],
}

const sources = [
  'contract',
  'scheduler',
  'quick-add',
  'ical',
  'caldav',
  'recurrence',
  'client',
  'web',
  'cli',
  'mcp',
  'server',
]
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((file) => `${folder}/${String(file)}`),
  )
  .filter((file) => /^[\w-]+\/(src|bin)\/.*\.tsx?$/.test(file) && !file.includes('.test.'))

describe('imports', () => {
  it.each(sources)('%s imports only what it may', (file) => {
    const room = roomOf(file)
    const strays = importsOf(file).filter((target) => {
      if (target.endsWith('.routes.ts')) return room !== 'server/app'
      return roomOf(target) !== room && !house[room]?.includes(roomOf(target))
    })
    expect(strays, `${room} may import only: ${house[room]?.join(', ')}`).toEqual([])
  })
})

describe.each(['scheduler', 'server', 'web'])('the folders of %s', (workspace) => {
  const rooms = Object.keys(house).filter((room) => room.startsWith(`${workspace}/`))

  it('import only folders that are declared before them', () => {
    const upwards = rooms.flatMap((room, i) =>
      house[room]!.filter(
        (other) =>
          other.startsWith(`${workspace}/`) &&
          other !== 'web/styles' &&
          !rooms.slice(0, i).includes(other),
      ),
    )
    expect(upwards).toEqual([])
  })

  it('exist', () => {
    const used = new Set(sources.map(roomOf))
    expect(rooms.filter((room) => !used.has(room))).toEqual([])
  })
})

describe('import cycles', () => {
  it('do not exist', () => {
    const state = new Map<string, 'open' | 'done'>()
    const cycles: string[] = []
    const visit = (file: string, path: string[]) => {
      if (state.get(file) === 'done') return
      if (state.get(file) === 'open') {
        cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
        return
      }
      state.set(file, 'open')
      for (const target of importsOf(file)) {
        if (known.has(target)) visit(target, [...path, file])
      }
      state.set(file, 'done')
    }
    const known = new Set(sources)
    for (const file of sources) visit(file, [])
    expect(cycles).toEqual([])
  })
})

describe('packages of one feature', () => {
  it.each(Object.entries(owners))('%s is imported only below %s', (name, folders) => {
    const others = sources.filter(
      (file) =>
        file.startsWith('server/src/') &&
        !folders.some((folder) => file.startsWith(folder)) &&
        importsOf(file).some((target) => roomOf(target) === name),
    )
    expect(others).toEqual([])
  })
})

describe('time', () => {
  const clocks = /\bnew Date\(\)|\bDate\.now\(|Temporal\.Now|performance\.now\(/
  // Waiting for the embedded server needs the clock. In the browser the clock has to be read
  // somewhere.
  const clockKeepers =
    /^server\/(bin|src\/platform\/embedded-postgres)\/|^web\/src\/time\/clock\.ts$/
  const timed = sources.filter((file) => !clockKeepers.test(file))

  it.each(timed)('%s does not read the clock', (file) => {
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
    const openApi = readFileSync('server/src/platform/http/openapi.ts', 'utf8')

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

  it('has import rules for every source folder', () => {
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

/** The imports of a file: our own files by their path from the root, packages by their name. */
function importsOf(file: string) {
  const text = readFileSync(file, 'utf8')
  const imported = /(?:\bfrom |\bimport |\bimport\()'([^'\n]+)'/g
  // Threads are started by the URL of their file.
  const started = /new URL\('([^']+\.ts)', import\.meta\.url\)/g
  return [...text.matchAll(imported), ...text.matchAll(started)].map(([, target = '']) =>
    target.startsWith('.') ? join(dirname(file), target) : target,
  )
}

function roomOf(path: string) {
  const [, server] = path.match(/^server\/(?:src\/)?(platform\/[\w-]+|[\w-]+)/) ?? []
  if (server) return `server/${server}`
  const [, scheduler] = path.match(/^scheduler\/src\/([\w-]+)/) ?? []
  if (scheduler) return `scheduler/${scheduler}`
  const [, web] = path.match(/^web\/src\/([\w-]+)/) ?? []
  if (web) return `web/${web}`
  if (path.startsWith('node:')) return 'node'
  if (path.includes('fastify')) return 'fastify' // and its plugins
  return path.replace('@daywright/', '').split('/')[0] ?? path
}
