import Type from 'typebox'
import type { DatasetContext } from '../../datasets/dataset.ts'
import * as field from '../../datasets/fields.ts'
import { writeRecords } from '../../formats/format.ts'
import { formatsFor } from '../../formats/formats.ts'
import { addEndpoint } from '../../http/endpoint.ts'
import { serialiser } from '../../http/representation.ts'
import type { Router } from '../../http/router.ts'
import { distinct } from '../../query/parameters.ts'
import type { CountsThen } from '../../store/store.ts'
import { chain } from '../../values/promises.ts'
import { integer, oneOf, text } from '../../values/values.ts'
import { respondFrom } from './respond.ts'

const Row = Type.Object(
  {
    at: field.timestamp({ description: 'When the release became current.' }),
    release: Type.Integer({ description: 'Number of the release.', minimum: 1 }),
    value: field.nullableText({ description: 'The value that was counted; null for records without one.' }),
    count: Type.Integer({ description: 'Number of records.', minimum: 0 }),
    share: Type.Number({ description: 'Share of all records of the release, 0 to 1.' }),
  },
  { $id: 'PastCount', title: 'Count of an earlier release' },
)

const INTERVALS = ['month', 'release'] as const

/** Adds the endpoint with the counts of all releases, also of those whose records are gone. */
export function addHistoryRoute(router: Router, context: DatasetContext, keys: readonly string[]): void {
  const { dataset, past } = context
  const formats = formatsFor(context.formats, Row)
  const schema = Type.Object({
    results: Type.Array(Row, { description: 'By time; values of one time by their counts at the end.' }),
  })
  const render = serialiser(schema)
  const path = `${dataset.path}/stats/history`
  addEndpoint(router, {
    path,
    operationId: `${dataset.list.operationId.replace(/^list/, 'count')}OverTime`,
    tag: dataset.name,
    summary: `Number of ${dataset.noun} over time, as it was known`,
    description: `Each release leaves its counts behind, by ${keys.join(', ')}. A month has those of the release that was current at its end, in UTC; a month without a new release is not listed.`,
    parameters: {
      by: { type: oneOf(keys), default: keys[0], description: 'What to count by.' },
      value: {
        type: distinct(text({ maxLength: 100 }), value => value),
        description: 'Only these values, comma-separated; case does not matter.',
      },
      interval: {
        type: oneOf(INTERVALS),
        default: 'month' as const,
        description: 'The last release of each month, or each release.',
      },
      top: {
        type: integer({ minimum: 1, maximum: 1000 }),
        default: 10,
        description: 'Without `value`: at most so many values, those with the highest counts at the end.',
      },
    },
    response: schema,
    formats,
    problems: [503],
    cacheVersion: context.release,
    respond({ query: { by = '', value, interval, top = 1 }, canonical, format }) {
      const rowsOf = (all: readonly CountsThen[]) => {
        const shown = interval === 'month' ? lastOfMonths(all) : all
        const values = wanted(shown, { by, value, top })
        return shown.flatMap(({ at, release, counts: { [by]: counts = {} } }) => {
          const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
          return values.map(each => {
            const count = counts[each] ?? 0
            return { at, release, value: each || null, count, share: count / Math.max(1, total) }
          })
        })
      }
      const writer = formats.find(({ name }) => name === format)
      const write = () =>
        chain(past.counts(), async all => {
          const results = rowsOf(all)
          const content = writer ? await writeRecords(writer, results, Row) : render({ results })
          return { content }
        })
      // After a rollback the same release is current again, and the list is longer.
      const key = `${path}.${format}?${canonical} ${context.release()?.currentSince}`
      return respondFrom(context, { key, write })
    },
  })
}

/** The last of each month, in UTC. */
const lastOfMonths = (all: readonly CountsThen[]) =>
  all.filter(({ at }, place) => at.slice(0, 7) !== all[place + 1]?.at.slice(0, 7))

/** The values to list: the ones that were asked for, or the most frequent ones of the last release. */
function wanted(
  all: readonly CountsThen[],
  { by, value, top }: { by: string; value: readonly string[] | undefined; top: number },
): readonly string[] {
  if (value === undefined) {
    const last = Object.entries(all.at(-1)?.counts[by] ?? {}).sort(([, a], [, b]) => b - a)
    return last.slice(0, top).map(([each]) => each)
  }
  const asked = value.map(each => each.toLowerCase())
  const known = new Set(all.flatMap(({ counts }) => Object.keys(counts[by] ?? {})))
  return [...known].filter(each => asked.includes(each.toLowerCase()))
}
