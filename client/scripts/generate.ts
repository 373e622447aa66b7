import { writeFile } from 'node:fs/promises'
import { schemaText } from './schema-text.ts'

await writeFile(new URL('../src/schema.ts', import.meta.url), await schemaText())
