import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './tracked-files.ts'

/** A package of the lockfile. */
export interface LockedPackage {
  readonly name: string
  readonly version: string
  readonly integrity?: string
  readonly resolved?: string
  readonly license?: string
  /** Whether only development needs it. */
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Every package of package-lock.json but the service itself. */
export function lockedPackages(): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => ({ ...entry, name: path.slice(path.lastIndexOf('node_modules/') + 13) }))
}

export const nameAndVersion = ({ name, version }: LockedPackage) => `${name}@${version}`
