// The API alone; run a worker beside it.
import { run } from './run.ts'

await run('api')
