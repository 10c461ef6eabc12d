// The alternative to polling: every write notifies, every API listens. Planted like the faults of proof/, so that
// the two can be compared; it is not part of the product.
const edits = [
  {
    file: 'server/src/db/recording.ts',
    find: `      from counted, change
  )\``,
    replace: `      from counted, change
    returning pg_notify('daywright_events', user_id::text)
  )\``,
  },
  {
    file: 'server/src/events/streams.ts',
    find: 'const pollMs = 250',
    replace: 'const pollMs = 3_600_000',
  },
  {
    file: 'server/src/events/streams.ts',
    find: '  let asking = false',
    replace: `  void db.pool.connect().then((client) => {
    client.on('notification', ({ payload }) => users.has(payload) && void send(payload))
    return client.query('listen daywright_events')
  })
  let asking = false`,
  },
]

export const notifying = { DAYWRIGHT_PLANT: JSON.stringify(edits) }
