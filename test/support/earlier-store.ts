import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { DATASETS } from '../../src/datasets/index.ts'
import type { Layout, TableLayout } from '../../src/query/layout.ts'
import type { StoredRecord } from '../../src/query/query.ts'
import { contentOf, escapeText, releaseHash } from '../../src/store/encoding/content.ts'
import { MIGRATIONS as OF_POSTGRES } from '../../src/store/postgres/schema.ts'
import { openDatabase } from '../../src/store/sqlite/driver.ts'
import { MIGRATIONS as OF_SQLITE } from '../../src/store/sqlite/registry.ts'
import { dayNumber } from '../../src/values/day-number.ts'
import { fold } from '../../src/values/text.ts'
import { emptyFolder } from './folder.ts'
import { cluster } from './postgres.ts'
import { run } from './postgres-server.ts'
import { vehicles } from './stored-vehicles.ts'

/** A store as earlier versions of the service made it, with the records of releases as rows. */
export interface EarlierStore {
  readonly address: string
  /** Everything in it, by the name of the file or table. */
  content(): Promise<Record<string, unknown>>
  /** Publishes a release as the earlier version does. */
  publish(release: EarlierRelease): Promise<void>
  /** Spoils the content of a release. */
  damage(release: EarlierRelease): Promise<void>
  /** Runs a statement on the registry; `file.` or nothing precedes its tables. */
  change(statement: (prefix: string) => string): Promise<void>
}

export interface EarlierRelease {
  readonly dataset: string
  readonly number: number
  readonly layout: Layout
  /** In served order. */
  readonly records: readonly StoredRecord[]
}

/** The layout of the service's own register of vehicles. */
export const REGISTER = DATASETS.find(({ name }) => name === 'vehicles')?.layout as TableLayout

/** Texts that no engine keeps as they are. */
const ODD = ['a\0b', 'lone \ud800 half', '"quoted"', 'Citroën 🚗', '']

const toilets = (number: number, records: readonly StoredRecord[]): EarlierRelease => ({
  ...{ dataset: 'toilets', number, records },
  layout: { kind: 'documents' },
})

/** Makes a release of so many vehicles, of which some have texts that no engine keeps as they are. */
export function vehicleRelease(number: number, count: number): EarlierRelease {
  const odd = vehicles(count).map((one, at) => {
    const record = { weight: null, co2Emissions: at / 8, ...one, model: ODD[at] ?? one.model }
    // In the order of the columns.
    return Object.fromEntries(REGISTER.columns.map(({ name }) => [name, Object(record)[name]]))
  })
  const day = (record: StoredRecord) => String(record.firstRegisteredInJerseyAt ?? '')
  // The sort is stable: ties keep the order of the source.
  const records = odd.sort((one, other) => (day(one) < day(other) ? 1 : day(one) > day(other) ? -1 : 0))
  return { dataset: 'vehicles', number, layout: REGISTER, records }
}

/** The releases of each store that {@link EARLIER_STORES} makes. The current ones are toilets 1 and vehicles 2. */
export const EARLIER: readonly EarlierRelease[] = [
  toilets(1, [
    { id: 'a', name: 'Steps' },
    { id: 'b', name: ODD.join('|'), '7': 1.5, tenure: null },
  ]),
  // More than a stream takes at once.
  toilets(
    2,
    Array.from({ length: 2500 }, (_, n) => ({ id: `${n}`, name: `Market ${n} `.repeat(5) })),
  ),
  vehicleRelease(1, 40),
  vehicleRelease(2, 60),
]

/** What the registry says of a release. */
export const entryOf = ({ dataset, number, records }: EarlierRelease) => {
  const hash = releaseHash()
  for (const record of records) hash.add(contentOf(record))
  return {
    ...{ dataset, number, hash: hash.digest(), rows: records.length },
    publishedAt: `2024-0${number}-01T00:00:00.000Z`,
    source: `${dataset}-${number}.csv`,
    synthetic: number === 2,
    changes: { added: number, changed: 20, removed: 300 },
  }
}

type Dialect = Readonly<Record<'bytes' | 'number' | 'text', string>> & { hex(digits: string): string }

const SQLITE: Dialect = { bytes: 'blob', number: 'real', text: 'text', hex: digits => `x'${digits}'` }
const POSTGRES: Dialect = {
  ...{ bytes: 'bytea', number: 'double precision', text: 'text collate "C"' },
  hex: digits => `'\\x${digits}'`,
}

/** The name of a part of a release, for a statement. */
type Named = (part: string) => string

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const values = (rows: readonly (readonly unknown[])[]) => rows.map(row => `(${row.join(', ')})`).join(', ')

/** The statements that write the tables of a release. */
function releaseSql({ layout, records }: EarlierRelease, named: Named, dialect: Dialect): string {
  const digests = `create table ${named('digests')}
    (key ${dialect.bytes} not null, digest ${dialect.bytes} not null, copies integer not null);`
  if (layout.kind === 'table') return digests + tableSql(layout, records, named, dialect)
  const rows = records.map((record, at) => [at + 1, quoted(contentOf(record))])
  return `${digests}
    create table ${named('documents')} (position integer primary key, content text not null);
    insert into ${named('documents')} values ${values(rows)};`
}

function tableSql(
  { columns }: TableLayout,
  records: readonly StoredRecord[],
  named: Named,
  dialect: Dialect,
): string {
  const types = { word: 'integer not null', day: 'integer', number: dialect.number, digest: dialect.bytes }
  const words = columns.filter(({ type }) => type === 'word').map(({ name }) => name)
  const codes = new Map(words.map(word => [word, [...new Set(records.map(record => String(record[word])))]]))
  const cells = records.map((record, at) => [
    at + 1,
    ...columns.map(({ name, type }) => {
      const value = record[name] as string | number | null
      if (type === 'word') return Number(codes.get(name)?.indexOf(String(value))) + 1
      if (value === null) return 'null'
      if (type === 'digest') return dialect.hex(String(value))
      return type === 'day' ? dayNumber(String(value).slice(0, 10)) : value
    }),
  ])
  const declared = columns.map(({ name, type }) => `"${name}" ${types[type]}`)
  const rows = `create table ${named('rows')} (position integer primary key, ${declared.join(', ')});
    insert into ${named('rows')} values ${values(cells)};`
  const dictionaries = words.map(word => {
    const entries = codes.get(word) ?? []
    const listed = entries.map((text, at) => [at + 1, quoted(escapeText(text)), quoted(fold(text)), at, 1])
    return `create table ${named(`words_${word}`)} (id integer primary key, value ${dialect.text} not null,
        folded ${dialect.text} not null, rank integer not null, count integer not null);
      insert into ${named(`words_${word}`)} values ${values(listed)};`
  })
  return [rows, ...dictionaries].join('\n')
}

/** The statements that register a release. */
function entrySql(release: EarlierRelease, locator: string, prefix: string): string {
  const { dataset, number, hash, rows, publishedAt, source, synthetic, changes } = entryOf(release)
  const texts = [hash, locator].map(quoted)
  const details = [publishedAt, source].map(quoted)
  const { added, changed, removed } = changes
  return `
    insert into ${prefix}releases
      (dataset, number, hash, locator, rows, published_at, source, synthetic, added, changed, removed)
      values (${[quoted(dataset), number, ...texts, rows, ...details, Number(synthetic), added, changed, removed]});
    delete from ${prefix}datasets where name = ${quoted(dataset)};
    insert into ${prefix}datasets values (${[quoted(dataset), number, number, quoted(publishedAt)]});
    update ${prefix}state set revision = revision + 1;`
}

/** Readings, first-seen ids, the state of a source, and a rollback. */
const restSql = (version: number, prefix: string) => `
  insert into ${prefix}reading_names (code, name) values ('A', 'Pier');
  insert into ${prefix}observations (at) values (600000);
  insert into ${prefix}readings (at, name_id, ordinal, spaces) values (600000, 1, 0, 7);
  insert into ${prefix}first_seen (dataset, id, seen) values ('toilets', 'a', '2024-01-01T00:00:00.000Z');
  update ${prefix}datasets set current_number = 1, current_since = '2024-03-01T00:00:00.000Z' where name = 'toilets';
  ${version < 2 ? '' : `insert into ${prefix}sources (dataset, state) values ('toilets', '{"etag":"x"}');`}
  ${version < 3 ? '' : `update ${prefix}releases set held_back = '[{"id":"a","name":"A","reason":"x"}]' where dataset = 'toilets' and number = 1;`}`

async function onSqlite(t: TestContext, version = 3): Promise<EarlierStore> {
  const folder = await emptyFolder(t)
  const path = (...names: string[]) => join(folder, ...names)
  const fileOf = ({ dataset, number }: EarlierRelease) => path('releases', dataset, `${number}.sqlite`)
  async function execute(file: string, sql: string): Promise<void> {
    const database = openDatabase(file)
    database.exec(sql)
    database.close()
  }
  const registry = (sql: string) => execute(path('registry.sqlite'), sql)
  async function publish(release: EarlierRelease): Promise<void> {
    await mkdir(path('releases', release.dataset), { recursive: true })
    await execute(
      fileOf(release),
      releaseSql(release, part => `file."${part}"`, SQLITE),
    )
    const locator = createHash('sha256')
      .update(await readFile(fileOf(release)))
      .digest('hex')
    await registry(entrySql(release, locator, 'file.'))
  }
  await registry(`pragma file.journal_mode = wal; ${OF_SQLITE.slice(0, version).join('\n')}
    pragma file.application_id = 0x50445372; pragma file.user_version = ${version}`)
  for (const release of EARLIER) await publish(release)
  await registry(restSql(version, 'file.'))
  return {
    address: `sqlite:${folder}`,
    publish,
    damage: release => execute(fileOf(release), 'create table file.more (id integer)'),
    change: statement => registry(statement('file.')),
    async content() {
      const found: Record<string, unknown> = {}
      for (const entry of await readdir(path('releases'), { withFileTypes: true, recursive: true }))
        if (entry.isFile())
          found[`${entry.parentPath.slice(folder.length)}/${entry.name}`] = await readFile(
            join(entry.parentPath, entry.name),
            'latin1',
          )
      const database = openDatabase(path('registry.sqlite'))
      const tables = database.prepare("select name, sql from file.sqlite_schema where type = 'table'").all()
      for (const { name, sql } of tables as { name: string; sql: string }[])
        found[name] = [sql, database.prepare(`select * from file.${name}`).all()]
      found.version = database.prepare('pragma file.user_version').get()
      database.close()
      return found
    },
  }
}

let ids = 0

async function onPostgres(_t: TestContext, version = 3): Promise<EarlierStore> {
  const address = await (await cluster()).emptyDatabase()
  const inSchema = (sql: string) => run(address, `set search_path = pds; ${sql}`)
  const locators = new Map<EarlierRelease, string>()
  async function publish(release: EarlierRelease): Promise<void> {
    // As many digits as the earlier version's ids have.
    const locator = String(170_000_000_000_000 + ++ids)
    locators.set(release, locator)
    const tables = releaseSql(release, part => `"r${locator}_${part}"`, POSTGRES)
    await inSchema(tables + entrySql(release, locator, ''))
  }
  await run(
    address,
    `create schema pds;
    create table pds.migrations (version integer primary key, applied_at timestamptz not null default now());
    insert into pds.migrations (version) select * from generate_series(1, ${version});
    set search_path = pds;
    ${OF_POSTGRES.slice(0, version).join('\n')}`,
  )
  for (const release of EARLIER) await publish(release)
  await inSchema(restSql(version, ''))
  return {
    address,
    publish,
    async damage(release) {
      const table = `r${locators.get(release)}`
      await inSchema(
        release.layout.kind === 'table'
          ? `delete from ${table}_rows where position = 1`
          : `update ${table}_documents set content = '{' where position = 1`,
      )
    },
    async change(statement) {
      await inSchema(statement(''))
    },
    async content() {
      const found: Record<string, unknown> = {}
      const tables = await run<{ name: string; columns: string }>(
        address,
        `select table_name as name, string_agg(column_name || ' ' || data_type, ', ' order by ordinal_position) as columns
          from information_schema.columns where table_schema = 'pds' group by 1`,
      )
      for (const { name, columns } of tables)
        found[name] = [
          columns,
          await run(address, `select to_jsonb(one) as row from pds."${name}" as one order by 1`),
        ]
      return found
    },
  }
}

/** Make a store of an earlier version of the schema, 3 unless told. */
export const EARLIER_STORES = { sqlite: onSqlite, postgres: onPostgres } as const
