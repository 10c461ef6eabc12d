// Runs the API and the worker in one process.
import { run } from './run.ts'

await run('api', 'worker')
