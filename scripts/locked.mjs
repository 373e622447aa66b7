import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Calls `use` with a temporary folder that has the `package.json` of the package in `source`, and a `package-lock.json` with the packages
 * that it needs at run time, as the repository's lockfile has them. Needs npm, but no network.
 */
export function withLock(source, use) {
  const {
    devDependencies: _,
    overrides: __,
    ...manifest
  } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const temporary = mkdtempSync(join(tmpdir(), 'pds-locked-'))
  try {
    // `npm sbom` names the product after its folder.
    const folder = join(temporary, manifest.name)
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    copyFileSync(new URL('../package-lock.json', import.meta.url), join(folder, 'package-lock.json'))
    // Removes from the lockfile what this package does not ask for.
    npm(folder, 'install', '--package-lock-only', '--offline', '--ignore-scripts')
    return use(folder)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Runs npm in a folder and returns what it prints. */
export const npm = (cwd, ...words) =>
  execFileSync('npm', [...words, '--loglevel', 'error'], { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 })
