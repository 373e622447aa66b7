// Writes the software bill of materials to standard output: every run-time package of package-lock.json, in CycloneDX. Needs
// npm, but no network. The same lockfile gives the same bytes, so that `diff` can compare two bills. An argument names the folder of
// another package of the repository.
import { fileURLToPath } from 'node:url'
import { npm, withLock } from '../scripts/locked.mjs'

const [folder = fileURLToPath(new URL('..', import.meta.url))] = process.argv.slice(2)
const bill = withLock(folder, locked =>
  JSON.parse(npm(locked, 'sbom', '--package-lock-only', '--sbom-format', 'cyclonedx')),
)
// These two differ each time, and CycloneDX does not require them.
delete bill.serialNumber
delete bill.metadata.timestamp
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`)
