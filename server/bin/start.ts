// All of Daywright in one process.
import { run } from './run.ts'

await run('api', 'worker')
