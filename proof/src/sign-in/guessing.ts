// Guessing passwords: at one account from many addresses, at many accounts from one address.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Instance,
  type Reply,
  rightPassword,
  send,
  signIn,
  tally,
  wrongPassword,
} from './instance.ts'

const perAccount = 20
const perNetwork = 5
const perAddress = 30

const decoys: ((cookie: string) => string)[] = [
  (cookie) => cookie,
  (cookie) => `__Secure-daywright.session_token=x; ${cookie}`,
  (cookie) => `__Host-daywright.session_token=x; ${cookie}`,
  (cookie) => cookie.replace(/=(.*)$/, '="$1"'),
  (cookie) => `daywright.session_token=x; ${cookie}`,
]

export async function guessing(instance: Instance) {
  const { first, second, newAddress, newEmail } = instance
  const account = await instance.newAccount()
  const attacks = [
    () => atOneAccount('an account', account.email),
    () => atOneAccount('an address without an account', newEmail()),
    () => fromOneNetwork(),
    () => ownerComesIn(),
    () => othersComeIn(),
    () => atCurrentPassword(),
    () => fromOneAddress('one address', (number) => signAt(first, '10.255.0.1', number)),
    () =>
      fromOneAddress('one address that names others', (number) =>
        signAt(second, `10.255.1.${number}`, number),
      ),
  ]
  for (const attack of attacks) {
    const findings = await attack()
    if (findings.length > 0) return findings
  }
  return []

  /** A hundred concurrent attempts from a hundred addresses, at both processes, in upper and lower case. */
  async function atOneAccount(whose: string, email: string) {
    const { evaluated, seconds, replies } = await countHashes(100, 100, (number) =>
      signIn(
        number % 3 === 0 ? second : first,
        number % 2 === 0 ? email : email.toUpperCase(),
        `${wrongPassword}-${number}`,
        newAddress(),
      ),
    )
    const allowed = perAccount + Math.floor(seconds / 12)
    const answered = replies.filter(({ status }) => status === 401).length
    // 503 is fine, too: no password was tried.
    const odd = replies.some(({ status }) => ![401, 429, 503].includes(status))
    const busy = replies.some(({ status }) => status === 503)
    return Math.max(evaluated, answered) <= allowed && (evaluated > 0 || busy) && !odd
      ? []
      : [`of 100 wrong passwords at once for ${whose} ${evaluated} were tried: ${tally(replies)}`]
  }

  async function fromOneNetwork() {
    const { email } = await instance.newAccount()
    const address = newAddress()
    const { evaluated, seconds, replies } = await countHashes(20, 5, (number) =>
      signIn(first, email, `${wrongPassword}-${number}`, address),
    )
    return evaluated <= perNetwork + Math.floor(seconds / 24)
      ? []
      : [`of 20 wrong passwords from one address ${evaluated} were tried: ${tally(replies)}`]
  }

  /** The right password works any number of times, and from a known browser during an attack. */
  async function ownerComesIn() {
    const { email } = await instance.newAccount()
    const own = newAddress()
    let cookies = ''
    for (let time = 0; time < 8; time += 1) {
      const reply = await signIn(first, email, rightPassword, own)
      if (reply.status !== 200) return [`the right password is answered ${reply.status}`]
      ;({ cookies } = reply)
    }
    await countHashes(40, 10, (number) =>
      signIn(first, email, `${wrongPassword}-${number}`, newAddress()),
    )
    const { status } = await send(first, 'POST', '/api/auth/sign-in/email', {
      body: { email, password: rightPassword },
      headers: { 'x-forwarded-for': own, cookie: cookies },
    })
    return status === 200 ? [] : [`a known browser is locked out: ${status}`]
  }

  /** Guesses with a stolen session, whose cookie is sent among decoys that another parser may prefer. */
  async function atCurrentPassword() {
    for (const disguise of decoys) {
      const { email } = await instance.newAccount()
      const { cookie } = await signIn(first, email, rightPassword, newAddress())
      const { seconds, replies } = await countHashes(12, 3, (number) =>
        send(first, 'POST', '/api/auth/change-password', {
          body: { currentPassword: `${wrongPassword}-${number}`, newPassword: rightPassword },
          headers: { cookie: disguise(cookie), 'x-forwarded-for': newAddress() },
        }),
      )
      const tried = replies.filter(({ status }) => status === 400).length
      if (tried > 5 + Math.floor(seconds / 12)) {
        return [`of 12 guesses at the current password ${tried} were tried: ${tally(replies)}`]
      }
    }
    return []
  }

  async function othersComeIn() {
    const { email } = await instance.newAccount()
    const { status } = await signIn(first, email, rightPassword, newAddress())
    return status === 200 ? [] : [`the right password of someone else is answered ${status}`]
  }

  function signAt(origin: string, address: string, number: number) {
    return signIn(origin, newEmail(), `${wrongPassword}-${number}`, address)
  }

  async function fromOneAddress(whose: string, act: (number: number) => Promise<Reply>) {
    const { evaluated, seconds, replies } = await countHashes(60, 10, act)
    const allowed = perAddress + Math.floor(seconds / 2)
    return evaluated <= allowed
      ? []
      : [`of 60 accounts tried from ${whose} ${evaluated} were: ${tally(replies)}`]
  }

  /** Makes the attempts, and counts how many led to a password hash. */
  async function countHashes(
    count: number,
    atOnce: number,
    act: (number: number) => Promise<Reply>,
  ) {
    const before = instance.hashes()
    const began = performance.now()
    // More attempts are allowed as time passes; what counts is the time until the last refusal.
    let seconds = 0
    const replies: Reply[] = []
    const numbers = Array.from({ length: count }, (_, number) => number).values()
    const guess = async () => {
      for (const number of numbers) {
        const reply = await act(number)
        replies.push(reply)
        if (reply.status === 429) seconds = (performance.now() - began) / 1000
      }
    }
    await Promise.all(Array.from({ length: atOnce }, guess))
    await sleep(50) // the log lines are still on their way
    return { evaluated: instance.hashes() - before, seconds, replies }
  }
}
