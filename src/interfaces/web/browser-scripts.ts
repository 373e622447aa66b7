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

/** Keeps the page of free spaces current. */
export const PARKING_SCRIPT = script('/assets/parking.js', 'parking.js')
