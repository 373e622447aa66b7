// Writes the software bill of materials to standard output: every run-time package of package-lock.json, in CycloneDX. Needs
// npm, but no network. The same lockfile gives the same bytes, so that `diff` can compare two bills.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const read = name => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))

const { devDependencies: _, ...manifest } = read('package.json')
const lock = read('package-lock.json')
const { devDependencies: _dev, ...root } = lock.packages['']

// `npm sbom --omit dev` leaves out packages that both development and run time use, so npm gets a lockfile without development.
const packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => dev !== true))
packages[''] = root

const temporary = mkdtempSync(join(tmpdir(), 'pds-sbom-'))
try {
  // npm names the product after its folder.
  const folder = join(temporary, manifest.name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }))
  const words = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--loglevel', 'error']
  const bill = JSON.parse(execFileSync('npm', words, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 }))
  // These two differ each time, and CycloneDX does not require them.
  delete bill.serialNumber
  delete bill.metadata.timestamp
  process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`)
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
