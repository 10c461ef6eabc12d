// Runs the background work only: planning, summaries, webhook deliveries.
import { run } from './run.ts'

await run('worker')
