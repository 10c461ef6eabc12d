import { createHash, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { newFeedToken, newKey, readFeedToken, readKey } from './api-key-format.ts'

const userId = '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e11'

describe('newKey', () => {
  it('is recognisable: dwk_, the user, 32 random bytes and a checksum', () => {
    const { key } = newKey(userId)

    expect(key).toMatch(/^dwk_[\w-]{22}_[\w-]{43}[0-9a-f]{8}$/)
    expect(key.slice(-8)).toBe(crc32(key.slice(0, -8)).toString(16).padStart(8, '0'))
  })

  it('is unique', () => {
    const keys = Array.from({ length: 1000 }, () => newKey(userId).key)

    expect(new Set(keys).size).toBe(1000)
  })

  it('returns a SHA-256 of the key, and a prefix with six of its 43 secret characters', () => {
    const { key, prefix, hash } = newKey(userId)

    expect(hash).toEqual(createHash('sha256').update(key).digest())
    expect(key.startsWith(prefix)).toBe(true)
    expect(prefix).toMatch(/^dwk_[\w-]{22}_[\w-]{6}$/)
  })
})

describe('readKey', () => {
  it('returns the user and the hash to look up', () => {
    for (const id of [userId, randomUUID(), '00000000-0000-0000-0000-000000000000']) {
      const { key, hash } = newKey(id)

      expect(readKey(key)).toEqual({ userId: id, hash })
    }
  })

  it('refuses a key with any one character changed, or in upper case', () => {
    const { key } = newKey(userId)

    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'a' ? 'b' : 'a'
      expect(readKey(key.slice(0, at) + other + key.slice(at + 1)), `letter ${at}`).toBeUndefined()
    }
    expect(readKey(key.toUpperCase())).toBeUndefined()
  })

  it.each([
    ['nothing', () => ''],
    ['a word', () => 'secret'],
    ['a prefix alone', (key: string) => key.slice(0, 33)],
    ['a key cut short', (key: string) => key.slice(0, -1)],
    ['a key with more behind it', (key: string) => `${key}0`],
    ['a key with a line break behind it', (key: string) => `${key}\n`],
    ['a key with a space before it', (key: string) => ` ${key}`],
    ['two keys', (key: string) => `${key},${key}`],
    ['a megabyte', () => `dwk_${'a'.repeat(1_000_000)}`],
  ])('refuses %s', (_what, text) => {
    expect(readKey(text(newKey(userId).key))).toBeUndefined()
  })
})

describe('the token of a feed', () => {
  it('has the form of a key, and neither is taken for the other', () => {
    const { key: token, hash } = newFeedToken(userId)

    expect(token).toMatch(/^dwf_[\w-]{22}_[\w-]{43}[0-9a-f]{8}$/)
    expect(readFeedToken(token)).toEqual({ userId, hash })
    expect(readKey(token)).toBeUndefined()
    expect(readFeedToken(newKey(userId).key)).toBeUndefined()
  })
})
