import { readFileSync } from 'node:fs'

/** The folder of the package: the parent of `src`, and of `dist`, from which the built module runs. */
export const ROOT = new URL('../', import.meta.url)

/** The version of the service, from its package. */
export const VERSION: string = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).version
