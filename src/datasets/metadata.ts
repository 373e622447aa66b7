import Type from 'typebox'
import { readConfigFile } from '../config-file.ts'
import { line } from '../values/line.ts'
import { Contact, webAddress } from './contact.ts'

/** How often data is updated, by the codes of the EU's authority table `frequency`. */
const UPDATE_FREQUENCIES = [
  ...['CONT', 'UPDATE_CONT', 'HOURLY', 'BIHOURLY', 'TRIHOURLY', 'DAILY', 'DAILY_2'],
  ...['WEEKLY', 'WEEKLY_2', 'WEEKLY_3', 'BIWEEKLY', 'MONTHLY', 'MONTHLY_2', 'MONTHLY_3', 'BIMONTHLY'],
  ...['QUARTERLY', 'ANNUAL', 'ANNUAL_2', 'ANNUAL_3', 'BIENNIAL', 'TRIENNIAL', 'QUADRENNIAL', 'QUINQUENNIAL'],
  ...['DECENNIAL', 'BIDECENNIAL', 'TRIDECENNIAL', 'IRREG', 'NEVER'],
]

const STATED = {
  publisher: Type.Optional(line(200)),
  licence: Type.Optional(line(200)),
  licenceUrl: Type.Optional(webAddress()),
  attribution: Type.Optional(line(500)),
  contact: Type.Optional(Contact),
  updateFrequency: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: UPDATE_FREQUENCIES })),
}

const OfDataset = Type.Object(
  { ...STATED, sourceUrl: Type.Optional(webAddress()) },
  { additionalProperties: false, description: 'an object' },
)

/** The file: title and description of the service, values for all datasets, and values for single datasets. */
const fileFor = (names: readonly string[]) =>
  Type.Object(
    {
      title: Type.Optional(line(100)),
      description: Type.Optional(line(1000)),
      ...STATED,
      datasets: Type.Optional(
        Type.Object(Object.fromEntries(names.map(name => [name, Type.Optional(OfDataset)])), {
          additionalProperties: false,
          description: 'an object with the names of datasets',
        }),
      ),
    },
    { additionalProperties: false, description: 'an object' },
  )

/** The operator's statements about the service and the publishers of its data. */
export type Metadata = Type.Static<ReturnType<typeof fileFor>> & { readonly title: string }

/** The statements without a file. They name nobody. */
export const NOTHING_STATED: Metadata = { title: 'Public Data Service' }

/** Reads the file that METADATA names; without a file, returns {@link NOTHING_STATED}. Throws ConfigFileError. */
export function readMetadata(path: string | undefined, datasets: readonly { name: string }[]): Metadata {
  if (path === undefined) return NOTHING_STATED
  return { ...NOTHING_STATED, ...readConfigFile('METADATA', path, fileFor(datasets.map(({ name }) => name))) }
}
