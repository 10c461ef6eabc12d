// Runs the API only; run a worker beside it.
import { run } from './run.ts'

await run('api')
