// A record that is being created has a provisional id until the service answers. A request that names it waits
// for the answer, and is sent with the id that the service gave.
const created = new Map<string, Promise<string>>()
const known = new Map<string, string>()

/** A valid UUID with a prefix that the service never generates. */
export function newProvisionalId() {
  // `randomUUID` is not used, because browsers offer it only over https.
  const bytes = [...crypto.getRandomValues(new Uint8Array(6))]
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `00000000-0000-4000-8000-${digits}`
}

const provisionalId = /00000000-0000-4000-8000-[0-9a-f]{12}/g

/** Remembers the id that the service gives to the record. */
export function resolveProvisionalId<Made extends { id: string }>(
  provisional: string,
  sending: Promise<Made>,
) {
  const id = sending.then((made) => {
    known.set(provisional, made.id)
    return made.id
  })
  // The action that creates the record reports its failure.
  id.catch(() => {})
  created.set(provisional, id)
  return sending
}

/** The id that the service gave to a record, so that a record opened with its provisional id stays open. */
export const realIdOf = (id: string) => known.get(id) ?? id

/** `fetch` with the service's ids in the URL and the body. */
export async function fetchWithRealIds(url: string, init: RequestInit) {
  const { body } = init
  return fetch(await withRealIds(url), {
    ...init,
    ...(typeof body === 'string' && { body: await withRealIds(body) }),
  })
}

async function withRealIds(text: string) {
  let result = text
  for (const id of new Set(text.match(provisionalId))) {
    const real = await created.get(id)
    if (real !== undefined) result = result.replaceAll(id, real)
  }
  return result
}
