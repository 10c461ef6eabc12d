// npm run bench [-- api | planner | month | planner-load | what-if | worker | calendars | delays | streams | web]
const benches: Record<string, string> = {
  api: './api.ts',
  planner: '../../scheduler/bench/planner.ts',
  month: '../../scheduler/bench/month/month.ts',
  'what-if': '../../scheduler/bench/what-if-report.ts',
  'planner-load': './planner-load.ts',
  worker: './worker.ts',
  calendars: './calendars.ts',
  delays: './delays.ts',
  streams: './streams.ts',
  web: '../../web/bench/web.ts',
}
const [name = 'api'] = process.argv.slice(2)
const bench = benches[name]
if (!bench) {
  process.stderr.write(`npm run bench [-- ${Object.keys(benches).join(' | ')}]\n`)
  process.exit(2)
}
await import(new URL(bench, import.meta.url).href)
