import { readFileSync } from 'node:fs'

/** A script that runs in browsers: a file in `browser/`, served at a path. */
export interface BrowserScript {
  readonly path: string
  readonly read: () => Buffer
}

const script = (path: string, file: string): BrowserScript => ({
  path,
  read: () => readFileSync(new URL(`browser/${file}`, import.meta.url)),
})

/** Starts Swagger UI. */
export const DOCUMENTATION_SCRIPT = script('/docs/static/swagger-initializer.js', 'documentation.js')
