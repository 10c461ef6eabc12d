// The files that operators copy: checked as text, since no test runs systemd or Docker.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from './programs.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

describe('deploy/', () => {
  it('the unit runs what npm start runs, and lets the service stop its own PostgreSQL', () => {
    const unit = read('deploy/daywright.service')
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }

    const [, command] = /^ExecStart=\S+\/node (.+)$/m.exec(unit) ?? []
    expect(`exec node ${command}`).toBe(scripts.start)
    expect(unit).toMatch(/^KillMode=mixed$/m)
    expect(unit).toMatch(/^Restart=on-failure$/m)
  })

  it('the backup uses the data and the settings of the service', () => {
    const shared = /^(User|WorkingDirectory|Environment|EnvironmentFile)=.*$/gm
    const [service, backup] = ['daywright', 'daywright-backup'].map(
      (name) => read(`deploy/${name}.service`).match(shared) ?? [],
    )

    expect(service).toHaveLength(4)
    expect(backup).toEqual(service)
  })
})

describe('compose.yaml', () => {
  it('has no password in a URL: any password works', () => {
    const [, url = ''] = /DATABASE_URL: (\S+)/.exec(read('compose.yaml')) ?? []
    const before = process.env.PGPASSWORD
    onTestFinished(() => {
      if (before === undefined) delete process.env.PGPASSWORD
      else process.env.PGPASSWORD = before
    })
    process.env.PGPASSWORD = 'p@ss/w#rd%'

    expect(new URL(url).password).toBe('')
    expect(new pg.Client({ connectionString: url }).password).toBe('p@ss/w#rd%')
    expect(read('compose.yaml')).toMatch(/PGPASSWORD: \$\{POSTGRES_PASSWORD/)
  })

  it('sets TRUST_PROXY, and drops privileges of the service', () => {
    const text = read('compose.yaml')

    for (const line of ['TRUST_PROXY: ', 'read_only: true', 'cap_drop: [ALL]', 'no-new-priv']) {
      expect(text).toContain(line)
    }
  })
})

describe('.dockerignore', () => {
  it('keeps .env files out of the image', () => {
    expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['.env', '.env.*']))
  })
})
