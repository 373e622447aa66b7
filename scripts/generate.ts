import { readFile, writeFile } from 'node:fs/promises'
import { withSettings } from './settings-reference.ts'

const page = new URL('../docs/reference/configuration.md', import.meta.url)
await writeFile(page, withSettings(await readFile(page, 'utf8')))
