// npm run backup -- FILE and npm run restore -- FILE
import { migrate } from '../src/db/migrate.ts'
import { restoreBackup } from '../src/backup/restore-backup.ts'
import { writeBackup } from '../src/backup/write-backup.ts'
import { chooseDatabase } from './database-url.ts'
import { settings } from './settings.ts'

const [command, file] = process.argv.slice(2)
if (!file || !['write', 'restore'].includes(command ?? '')) {
  process.stderr.write('npm run backup -- FILE\nnpm run restore -- FILE\n')
  process.exit(2)
}

const database = chooseDatabase(settings())
await database.start()
try {
  await migrate(database.url)
  const rows = await (command === 'write' ? writeBackup : restoreBackup)(database.url, file)
  process.stdout.write(`${rows} rows ${command === 'write' ? 'in' : 'from'} ${file}\n`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await database.stop()
}
