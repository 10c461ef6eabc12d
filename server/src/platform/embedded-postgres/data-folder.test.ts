import { describe, expect, it } from 'vitest'
import { defaultDataFolder } from './data-folder.ts'

describe('defaultDataFolder', () => {
  it.each([
    ['linux', 1000, {}, '/home/ada/.local/share/daywright'],
    ['linux', 1000, { XDG_DATA_HOME: '/data' }, '/data/daywright'],
    ['linux', 0, {}, '/var/lib/daywright'],
    ['linux', 0, { XDG_DATA_HOME: '/data' }, '/data/daywright'],
    ['darwin', 501, {}, '/home/ada/Library/Application Support/Daywright'],
  ] as const)('on %s, uid %i, %o: %s', (platform, uid, env, folder) => {
    expect(defaultDataFolder({ HOME: '/home/ada', ...env }, platform, uid)).toBe(folder)
  })
})
