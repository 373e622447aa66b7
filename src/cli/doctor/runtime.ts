import { driverNames, loadDriver } from '../../store/sqlite/driver.ts'
import { type Check, fail, ok } from './check.ts'

/** Checks the version of Node and the SQLite driver. */
export function checkRuntime(nodeVersion = process.versions.node): Check[] {
  return [checkNode(nodeVersion), checkDriver(nodeVersion)]
}

/** The versions that package.json's `engines` allows. */
function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const supported = major === 20 ? minor >= 19 : major === 22 ? minor >= 13 : major > 22
  return supported
    ? ok('node', version)
    : fail('node', `${version} is not supported`, 'install Node 24, or 20.19, 22.13 or later')
}

function checkDriver(nodeVersion: string): Check {
  const name = driverNames(nodeVersion).find(each => {
    try {
      return loadDriver([each])
    } catch {
      return false
    }
  })
  return name === undefined
    ? fail('sqlite driver', 'none loads', 'run `npm ci` again on this machine, or use Node 24')
    : ok('sqlite driver', name)
}
