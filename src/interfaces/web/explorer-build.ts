import { readFileSync } from 'node:fs'
import { errorCode } from '../../values/system/error-code.ts'
import { ROOT } from '../../version.ts'
import type { BuiltExplorer, Renderer } from './explorer.ts'

/** `npm run build` writes the pages of `web/` here. */
const FOLDER = new URL('dist/web/', ROOT)

/** A file of the build, in the codings in which the build has written it. */
export interface BuiltFile {
  readonly body: Buffer
  readonly encoded: { readonly br?: Buffer; readonly gzip?: Buffer }
}

/** Reads what there is to serve. Throws where nothing has been built. */
export function readBuild(): BuiltExplorer {
  const text = readIfAny('explorer.json')?.toString()
  if (text === undefined) throw new Error('The pages have not been built: run "npm run build".')
  const built: BuiltExplorer = JSON.parse(text)
  return built
}

/** Reads a file of the build by its path. */
export function readBuilt(path: string): BuiltFile {
  const name = path.slice(1)
  const br = readIfAny(`${name}.br`)
  const gzip = readIfAny(`${name}.gz`)
  return { body: readFileSync(new URL(name, FOLDER)), encoded: { ...(br && { br }), ...(gzip && { gzip }) } }
}

/** Loads what renders the pages; it takes longer than the start of the service may, and none is needed before the first page. */
export const loadRenderer = (): Promise<Renderer> => import(new URL('server.js', FOLDER).href)

function readIfAny(name: string): Buffer | undefined {
  try {
    return readFileSync(new URL(name, FOLDER))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
