// The other way to follow what other processes write: every write notifies, every API listens. Planted as
// the harnesses of proof/ plant their faults, so that the two can be compared; nothing of it is in the product.
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
