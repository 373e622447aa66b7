import { readFileSync } from 'node:fs'

/** The folder of the package, as far from the source of this module as from what is built of it. */
export const ROOT = new URL('../', import.meta.url)

/** The version of the service, from its package. */
export const VERSION: string = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).version
