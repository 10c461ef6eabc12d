// Scans all output of the service for secrets, in every harness.
import type { Readable } from 'node:stream'

/** Every password that a harness uses contains this text. */
export const plantedPassword = 'planted-Pa55word'

const secret = new RegExp(
  [plantedPassword, 'dw[kf]_[\\w-]{22}_[\\w-]{43}', '(?:session_token|browser)=[^;\\s"]{20,}'].join(
    '|',
  ),
)

export const leaks: string[] = []

export function watchForSecrets(stream: Readable) {
  let rest = ''
  stream.on('data', (chunk) => {
    const text = rest + String(chunk)
    const [found] = secret.exec(text) ?? []
    if (found) leaks.push(`the log shows ${found.slice(0, 20)}…`)
    rest = text.slice(text.lastIndexOf('\n') + 1).slice(-10_000)
  })
}
