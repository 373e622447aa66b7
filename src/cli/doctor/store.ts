import type { Config } from '../../config.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { DATASETS } from '../../datasets/index.ts'
import type { Metadata } from '../../datasets/metadata.ts'
import { originOf } from '../../datasets/origin.ts'
import { type Reader, type TableOptions, tableOptions } from '../../store/engine.ts'
import { openStore, checkReader as readerAt } from '../../store/open-store.ts'
import {
  DamagedReleaseError,
  type Disk,
  NoStoreError,
  type Release,
  type Store,
  StoreUnusableError,
} from '../../store/store.ts'
import { shownAddress } from '../../values/addresses/shown-address.ts'
import { counted } from '../../values/numbers.ts'
import { size, span } from '../output/text.ts'
import { type Check, fail, ok, warn } from './check.ts'

const SUBJECT = 'store'
/** Room for five releases of the largest dataset and one being written. */
const ENOUGH_BYTES = 512 * 1024 ** 2

type StoreConfig = Pick<Config, 'DATABASE_URL' | 'TABLE_ENGINE' | 'TABLE_PRERENDER_MB'>

/**
 * Opens the store, if it exists, verifies every current release, and checks that its publisher and licence are stated. Without
 * `metadata`, publisher and licence are not checked.
 */
export async function checkStore(
  { DATABASE_URL: url, ...config }: StoreConfig,
  metadata: Metadata | undefined,
): Promise<Check[]> {
  const tables = tableOptions(config)
  const folder = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined
  const shown = folder ?? shownAddress(url)
  let store: Store
  try {
    store = await openStore(url, { mustExist: true, tables })
  } catch (error) {
    if (error instanceof NoStoreError)
      return [
        warn(
          SUBJECT,
          `there is none in ${shown} yet`,
          '`pds import <dataset> <file>` or `pds demo` makes it',
        ),
      ]
    return [failed(error, folder)]
  }
  const checks: Check[] = []
  try {
    const disk = await store.disk?.()
    if (disk !== undefined) checks.push(spaceCheck(disk))
    await store.verify()
    const readOnly = store.degraded().find(({ part }) => part === 'primary')
    checks.unshift(
      readOnly === undefined || folder === undefined
        ? ok(SUBJECT, `${folder === undefined ? shown : url} opens`)
        : warn(SUBJECT, ...parted(readOnly.detail)),
    )
    for (const dataset of DATASETS) {
      const release = await store.releases.current(dataset.name)
      checks.push(await checkDataset(store, dataset, release, tables))
      if (release && metadata) checks.push(...checkOrigin(metadata, release))
    }
  } catch (error) {
    checks.unshift(failed(error, folder))
  } finally {
    await store.close()
  }
  return checks
}

/** The failed check of an unusable store. The message about a store in a folder ends with advice. */
function failed(error: unknown, folder: string | undefined): Check {
  if (!(error instanceof StoreUnusableError)) throw error
  return folder === undefined
    ? fail(SUBJECT, error.message, 'check the server, or set DATABASE_URL to another')
    : fail(SUBJECT, ...parted(error.message))
}

/** Splits a message into its finding and its advice. */
function parted(message: string): [finding: string, advice: string] {
  const at = message.lastIndexOf(': ')
  return at < 0 ? [message, 'set DATABASE_URL to another'] : [message.slice(0, at), message.slice(at + 2)]
}

const spaceCheck = ({ freeBytes }: Disk): Check =>
  freeBytes >= ENOUGH_BYTES
    ? ok('free space', size(freeBytes))
    : warn('free space', `only ${size(freeBytes)}`, `free some: an import may need ${size(ENOUGH_BYTES)}`)

async function checkDataset(
  store: Store,
  { name, layout }: Dataset,
  release: Release | undefined,
  { engine }: TableOptions,
): Promise<Check> {
  if (release === undefined)
    return warn(name, 'no release: requests get 503', `\`pds import ${name} <file>\` publishes one`)
  const age = span(Math.max(0, Date.now() - Date.parse(release.publishedAt)))
  const found = `release ${release.number}, ${counted(release.rows, 'row')}, published ${age} ago`
  try {
    await store.releases.verify(release)
    const stored = release.bytes === null ? 'sql' : 'memory'
    if (layout.kind === 'table' && stored !== engine)
      return fail(
        name,
        `${found}, but imported with TABLE_ENGINE=${stored}`,
        `import it again with TABLE_ENGINE=${engine}, or set TABLE_ENGINE=${stored}`,
      )
    return ok(name, `${found}, verified${release.synthetic ? ', synthetic' : ''}`)
  } catch (error) {
    if (!(error instanceof DamagedReleaseError)) throw error
    return fail(name, `${found}: ${error.message}`, `\`pds rollback ${name}\`, or import it again`)
  }
}

/** Warns of a release that is published without its publisher or licence. */
function checkOrigin(metadata: Metadata, release: Release): Check[] {
  const { publisher, licence } = originOf(metadata, release)
  const missing = Object.entries({ publisher, licence }).filter(([, value]) => value === null)
  if (missing.length === 0) return []
  const what = missing.map(([name]) => name).join(' and ')
  return [
    warn(release.dataset, `published without ${what}`, `state its ${what} in the file that METADATA names`),
  ]
}

const READER = 'reader'
/** A delay of more bytes than a newly published release causes. */
const MUCH_BYTES = 2 ** 30

/** Checks the server of DATABASE_READ_URL, if it is set. */
export async function checkReader({
  DATABASE_URL,
  DATABASE_READ_URL,
}: Pick<Config, 'DATABASE_URL' | 'DATABASE_READ_URL'>): Promise<Check[]> {
  if (DATABASE_READ_URL === undefined) return []
  try {
    return [readerCheck(await readerAt(DATABASE_URL, DATABASE_READ_URL))]
  } catch (error) {
    if (!(error instanceof StoreUnusableError)) throw error
    return [fail(READER, error.message, 'correct DATABASE_READ_URL, or unset it')]
  }
}

function readerCheck(reader: Reader): Check {
  if ('failure' in reader)
    return warn(READER, reader.failure, 'check the server; until then releases are read from the primary')
  const { bytesBehind, isStandby, shown } = reader
  const what = `${shown} is available, ${isStandby ? 'a standby' : 'not a standby'}`
  if (bytesBehind === undefined) return ok(READER, what)
  const behind = `${what}, ${bytesBehind === 0 ? 'not' : size(bytesBehind)} behind`
  return bytesBehind < MUCH_BYTES
    ? ok(READER, behind)
    : warn(READER, behind, 'check its replication; releases that it lacks are read from the primary')
}
