// Values that functions need beside the bytes of others.
import type { WrittenEvent } from '@daywright/ical'

export const window = {
  from: '2026-01-01T00:00:00Z',
  to: '2026-07-01T00:00:00Z',
  zone: 'Europe/Berlin',
}

/** As many steps for each byte as the largest file has. */
export const optionsFor = (file: string) => ({
  ...window,
  addresses: ['ada@example.com'],
  limits: { steps: Math.ceil(Buffer.byteLength(file) / 5) },
})

export const written: WrittenEvent = {
  uid: 'a@daywright',
  startAt: '2026-01-05T09:00:00Z',
  endAt: '2026-01-05T10:00:00Z',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  title: 'Event',
  isPrivate: true,
}
