import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Secrets } from './secret.ts'

/** Encrypts text that must not be readable in the database. */
export type Cipher = {
  close(text: string): Promise<string>
  /** Undefined if the text was encrypted with a secret that is not known here, or changed since. */
  open(sealed: string): Promise<string | undefined>
}

/**
 * Encrypts with the current secret. A text begins with the id of the key that has encrypted it, and a dot; texts from before
 * that was so have neither, and are tried with each key.
 */
export function encryptWith({ current, former }: Secrets): Cipher {
  return {
    async close(text) {
      const { id, key } = keyOf(await current())
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${id}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')}`
    },
    async open(sealed) {
      const [, id, text = sealed] = /^([\w-]{8})\.(.*)$/s.exec(sealed) ?? []
      const opened = decrypt(text, id, await current())
      if (opened !== undefined) return opened
      for (const secret of await former()) {
        const opened = decrypt(text, id, secret)
        if (opened !== undefined) return opened
      }
      return undefined
    },
  }
}

/** What the texts begin with that this secret has encrypted. */
export const keyIdOf = (secret: string) => derive(secret, 'seal id', 6).toString('base64url')

const keyOf = (secret: string) => ({ id: keyIdOf(secret), key: derive(secret, 'seal', 32) })

const derive = (secret: string, purpose: string, bytes: number) =>
  Buffer.from(hkdfSync('sha256', secret, '', purpose, bytes))

function decrypt(text: string, id: string | undefined, secret: string) {
  const { id: ours, key } = keyOf(secret)
  if (id !== undefined && id !== ours) return undefined
  const bytes = Buffer.from(text, 'base64')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
