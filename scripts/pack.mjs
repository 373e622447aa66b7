import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './locked.mjs'

/*
 * Packs the package in the working directory with its lockfile and licence. `npm pack` gets the arguments. The archive has no
 * development dependencies in package.json: `npm ci` refuses a lockfile that lacks some.
 */

const ROOT = new URL('..', import.meta.url)
// npm publishes a lockfile only under this name. In a checkout it would take the place of package-lock.json.
const LOCK = 'npm-shrinkwrap.json'
const { files } = JSON.parse(readFileSync('package.json', 'utf8'))

withLock('.', folder => {
  renameSync(join(folder, 'package-lock.json'), join(folder, LOCK))
  for (const name of files.filter(name => name !== LOCK))
    cpSync(existsSync(name) ? name : new URL(name, ROOT), join(folder, name), { recursive: true })
  // npm packs files with their rights, which differ from machine to machine.
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', folder])
  const words = ['pack', '--pack-destination', process.cwd(), ...process.argv.slice(2)]
  execFileSync('npm', words, { cwd: folder, stdio: 'inherit' })
})
