import { type Config, ConfigError } from '../../config.ts'
import { DATASETS } from '../../datasets/index.ts'
import { type Metadata, readMetadata } from '../../datasets/metadata.ts'
import { originOf } from '../../datasets/origin.ts'
import type { Release } from '../../store/store.ts'
import { type Check, fail, ok, warn } from './check.ts'

const SUBJECT = 'metadata'

/** Reads the file that METADATA names; `metadata` is undefined where that fails. */
export function checkMetadata({ METADATA }: Pick<Config, 'METADATA'>): {
  checks: Check[]
  metadata: Metadata | undefined
} {
  try {
    const metadata = readMetadata(METADATA, DATASETS)
    return { checks: METADATA === undefined ? [] : [ok(SUBJECT, `${METADATA} can be used`)], metadata }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const failure = fail(SUBJECT, error.message, 'correct the file, or unset METADATA')
    return { checks: [failure], metadata: undefined }
  }
}

/** Warns of a release that is published without saying whose it is, or on what terms. */
export function checkOrigin(metadata: Metadata, release: Release): Check[] {
  const { publisher, licence } = originOf(metadata, release)
  const missing = Object.entries({ publisher, licence }).flatMap(([name, value]) =>
    value === null ? [name] : [],
  )
  if (missing.length === 0) return []
  const what = missing.join(' and ')
  return [
    warn(release.dataset, `published without ${what}`, `state its ${what} in the file that METADATA names`),
  ]
}
