import { readFile, writeFile } from 'node:fs/promises'
import { withSettingsTable } from './settings-table.ts'

const page = new URL('../docs/reference/configuration.md', import.meta.url)
await writeFile(page, withSettingsTable(await readFile(page, 'utf8')))
