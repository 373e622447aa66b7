import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL('../../../shared/data/', import.meta.url)

/** Why a test of real data is skipped, or false where the data is there; for the option `skip` of a test. */
export const realDataMissing: string | false =
  !existsSync(FOLDER) && 'the real data is not beside the project (../shared/data)'

/** The path of a file of real data. */
export const realPath = (name: string) => fileURLToPath(new URL(name, FOLDER))

export const readReal = (name: string) => readFile(new URL(name, FOLDER), 'utf8')
