import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import type { Config } from '../config.ts'
import { ConfigFileError, readConfigFile } from '../config-file.ts'
import type { Dataset } from '../datasets/dataset.ts'
import { DATASETS } from '../datasets/index.ts'
import type { Correction } from '../releases/import/corrections.ts'
import type { RejectLimit } from '../releases/import/importable.ts'
import type { FollowedSource } from '../releases/schedule/follow-sources.ts'
import { ALLOWED_SCHEDULES, parseSchedule } from '../releases/schedule/schedule.ts'
import { mappableFields } from '../sources/columns.ts'
import { SourceOptions } from '../sources/source-options.ts'
import { httpUrl } from '../values/addresses/addresses.ts'
import { shownAddress, withoutSecrets } from '../values/addresses/shown-address.ts'
import { suggestion } from '../values/text.ts'
import { DAY_S } from '../values/time-units.ts'
import { NotAllowed } from '../values/values.ts'
import { readCorrections } from './corrections-file.ts'

const text = (description: string) => Type.String({ minLength: 1, maxLength: 8192, description })
const whole = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, description: `a whole number from ${minimum} to ${maximum}` })
const names = DATASETS.map(({ name }) => name)

/** One source of the file that SOURCES names. */
const SourceEntry = Type.Object(
  {
    dataset: text(names.join(', ')),
    url: text(httpUrl().allowed),
    every: text(ALLOWED_SCHEDULES),
    map: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([text('the name of a field'), Type.Null()], {
          description: 'the name of a field, or null to leave the column out',
        }),
        { description: 'fields by columns of the source, such as {"HEADER": "field"}' },
      ),
    ),
    rejectLimit: Type.Optional(
      Type.Unsafe<number | string>({
        anyOf: [
          { type: 'integer', minimum: 0 },
          { type: 'string', pattern: '^(100|\\d{1,2})(\\.\\d{1,6})?%$' },
        ],
        description: 'a whole number of rows such as 12, or a share such as "1.5%"',
      }),
    ),
    maxBytes: Type.Optional(whole(1, 100_000_000_000)),
    timeoutS: Type.Optional(whole(1, DAY_S)),
    allowPrivate: Type.Optional(Type.Boolean({ description: 'true or false' })),
    ...SourceOptions.properties,
  },
  { additionalProperties: false, description: 'an object with dataset, url and every' },
)
export type SourceEntry = Static<typeof SourceEntry>

const SourcesFile = Type.Object(
  { sources: Type.Array(SourceEntry, { description: 'a list of sources' }) },
  { additionalProperties: false, description: 'an object with a list of sources' },
)

/** A configured source to follow and import. */
export interface ConfiguredSource extends FollowedSource {
  readonly entry: SourceEntry
  readonly corrections: readonly Correction[]
}

/**
 * Reads the sources of the file that SOURCES names, with their corrections; no sources without the file. Throws
 * {@link ConfigFileError} with the first mistake.
 */
export function readSources(config: Partial<Pick<Config, 'SOURCES' | 'CORRECTIONS'>>): ConfiguredSource[] {
  const { SOURCES: path } = config
  const allCorrections = readCorrections(config)
  if (path === undefined) return []
  const { sources } = readConfigFile('SOURCES', path, SourcesFile)
  return sources.map((entry, at) => {
    const refuse: Refuse = (field, reason) => {
      throw new ConfigFileError('SOURCES', path, `/sources/${at}/${field}`, reason)
    }
    if (sources.findIndex(({ dataset }) => dataset === entry.dataset) < at)
      refuse('dataset', `is "${entry.dataset}", which another source has; a dataset has one source`)
    checkFields(datasetOf(entry, refuse), entry, refuse)
    const corrections = allCorrections.get(entry.dataset) ?? []
    return {
      dataset: entry.dataset,
      address: shownAddress(entry.url),
      entry,
      schedule: checked('every', entry.every, ALLOWED_SCHEDULES, parseSchedule, refuse),
      corrections,
      configuration: configurationOf(entry, corrections),
    }
  })
}

type Refuse = (field: string, reason: string) => never

function datasetOf({ dataset }: SourceEntry, refuse: Refuse): Dataset {
  return (
    DATASETS.find(({ name }) => name === dataset) ??
    refuse(
      'dataset',
      `is "${withoutSecrets(dataset)}"${suggestion(dataset, names, didYouMean)}; allowed: ${names.join(', ')}`,
    )
  )
}

function checkFields(dataset: Dataset, { url, map = {} }: SourceEntry, refuse: Refuse): void {
  checked('url', url, httpUrl().allowed, httpUrl().parse, refuse)
  const fields = mappableFields(dataset.record)
  for (const [header, field] of Object.entries(map))
    if (field !== null && !fields.includes(field))
      refuse(
        `map/${header.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        `is "${withoutSecrets(field)}"${suggestion(field, fields, didYouMean)}; allowed: ${fields.join(', ')}`,
      )
}

function checked<T>(
  field: string,
  value: string,
  allowed: string,
  parse: (value: string) => T,
  refuse: Refuse,
): T {
  try {
    return parse(value)
  } catch (error) {
    if (error instanceof NotAllowed)
      refuse(field, `is "${withoutSecrets(value)}", which ${error.message}; allowed: ${allowed}`)
    throw error
  }
}

const didYouMean = (meant: string) => ` (did you mean "${meant}"?)`

/** A digest, because the address may hold a secret. The schedule is not part of the digest. */
function configurationOf(
  { every: _every, ...entry }: SourceEntry,
  corrections: readonly Correction[],
): string {
  const published = corrections.length === 0 ? entry : [entry, corrections]
  return createHash('sha256').update(JSON.stringify(published)).digest('hex').slice(0, 16)
}

/** A source's own limit of rejected rows. */
export function rejectLimitOf({ rejectLimit }: SourceEntry): RejectLimit | undefined {
  if (typeof rejectLimit === 'string') return { percent: Number.parseFloat(rejectLimit) }
  return rejectLimit === undefined ? undefined : { rows: rejectLimit }
}
