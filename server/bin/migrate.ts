import { migrate } from '../src/db/migrate.ts'
import { chooseDatabase } from './database-url.ts'
import { settings } from './settings.ts'

const database = chooseDatabase(settings())
await database.start()
try {
  await migrate(database.url)
} finally {
  await database.stop()
}
