import { createCipheriv, hkdfSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { encryptWith, keyIdOf } from './encryption.ts'

const cipher = (current: string, ...former: string[]) =>
  encryptWith({ current: async () => current, former: async () => former })

/** As texts were encrypted before they began with the id of their key. */
function closeWithoutId(text: string, secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'seal', 32))
  const iv = Buffer.alloc(12, 7)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

describe('an encrypted text', () => {
  it('begins with the id of its key, and is read with the secret that has encrypted it', async () => {
    const sealed = await cipher('one').close('ada')

    expect(sealed.startsWith(`${keyIdOf('one')}.`)).toBe(true)
    expect(keyIdOf('one')).not.toBe(keyIdOf('two'))
    expect(await cipher('one').open(sealed)).toBe('ada')
    expect(await cipher('three', 'two', 'one').open(sealed)).toBe('ada')
    expect(await cipher('three', 'two').open(sealed)).toBeUndefined()
  })

  it('is read without the id of a key, if it is an old one', async () => {
    const sealed = closeWithoutId('ada', 'one')

    expect(await cipher('one').open(sealed)).toBe('ada')
    expect(await cipher('three', 'two', 'one').open(sealed)).toBe('ada')
    expect(await cipher('two').open(sealed)).toBeUndefined()
  })

  it('is not read if it was changed', async () => {
    const sealed = await cipher('one').close('ada')
    const at = sealed.length - 6
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)

    expect(await cipher('one').open(changed)).toBeUndefined()
    expect(await cipher('one').open('')).toBeUndefined()
    expect(await cipher('one').open(`${keyIdOf('one')}.`)).toBeUndefined()
  })

  it('is not taken for lost while the former secrets cannot be read', async () => {
    const sealed = await cipher('one').close('ada')
    const unreachable = encryptWith({
      current: async () => 'two',
      former: () => Promise.reject(new Error('The database is unreachable')),
    })

    await expect(unreachable.open(sealed)).rejects.toThrow('unreachable')
  })
})
