import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts text that must not be readable in the database. */
export type Cipher = {
  close(text: string): Promise<string>
  open(sealed: string): Promise<string>
}

export function encryptWith(secret: () => Promise<string>): Cipher {
  const keyOf = async () => Buffer.from(hkdfSync('sha256', await secret(), '', 'seal', 32))
  return {
    async close(text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', await keyOf(), iv)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
    },
    async open(text) {
      const bytes = Buffer.from(text, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', await keyOf(), bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
