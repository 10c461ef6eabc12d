// Whatever Daywright does by itself: plans, summaries, deliveries.
import { run } from './run.ts'

await run('worker')
