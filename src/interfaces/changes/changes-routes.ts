import { buffer } from 'node:stream/consumers'
import Type from 'typebox'
import type { ServedDataset } from '../../datasets/dataset.ts'
import { describeRelease } from '../../datasets/release-representation.ts'
import { Problem } from '../../errors.ts'
import { ndjson } from '../../formats/ndjson.ts'
import { addEndpoint } from '../../http/endpoint.ts'
import { serialiser } from '../../http/representation.ts'
import type { Router } from '../../http/router.ts'
import type { Release } from '../../store/store.ts'
import { type Moment, moment } from '../../values/dates.ts'
import { InvalidParameter, NotAllowed, type ValueType } from '../../values/values.ts'
import { datasetNamed } from '../catalogue/dataset-named.ts'
import { type ChangesFormat, changesResponse, KeptRelease, writeChanges } from './changes-document.ts'

/**
 * Shorter than the lifetime of lists: clients that follow changes want to know of a new release soon, and asking again costs a
 * 304.
 */
export const NEWS_MAX_AGE_S = 300

/** The start of changes: a release, or the release that was served at a time. */
type Since = { readonly release: number } | Moment

const times = moment()

const ALLOWED = `the number of a release, ${times.allowed}`

/** A release's number, a date or a time. */
const since: ValueType<Since> = {
  allowed: ALLOWED,
  schema: Type.String({
    anyOf: [{ pattern: '^[0-9]{1,9}$' }, { format: 'date' }, { format: 'date-time' }],
  }),
  format: value => ('release' in value ? String(value.release) : times.format(value)),
  parse(text) {
    if (/^\d{1,9}$/.test(text)) return { release: Number(text) }
    if (!/^\d{4}-\d/.test(text)) throw new NotAllowed(`must be ${ALLOWED}`)
    return times.parse(text)
  },
}

/** The parameter `since`. */
const sinceParameter = {
  type: since,
  description:
    'The number of a release, or a time: that of the release that was served then. A date is its midnight UTC. By default the release before the one that is served.',
}

/**
 * Finds the release that changes begin at; by default the release before the served one. The kept releases come newest first.
 * Throws CHANGES_GONE if that release is no longer kept, and {@link InvalidParameter} if it never existed.
 */
function releaseSince(value: Since | undefined, kept: readonly Release[], served: Release): Release {
  const oldest = kept.at(-1) ?? served
  const comparable = `${kept.map(({ number }) => number).join(', ')}, or a time from ${oldest.publishedAt} on`
  const refuse = (value: string, detail: string) =>
    new InvalidParameter({ parameter: 'since', value, detail, allowed: `one of the releases ${comparable}` })
  if (value === undefined) return kept.find(({ number }) => number < served.number) ?? served
  const found = 'release' in value ? kept.find(({ number }) => number === value.release) : servedAt(value)
  if (found !== undefined) return found
  const isOlder = 'release' in value ? value.release >= 1 && value.release < oldest.number : oldest.number > 1
  const sent = since.format(value)
  if (!isOlder) throw refuse(sent, 'release' in value ? 'is no release' : 'is before the first release')
  throw new Problem(
    'CHANGES_GONE',
    `since ${sent} is older than the releases that are kept. Changes can be had since ${comparable}.`,
  )

  /** Before the served release became current, assumes the newest one of that time: earlier rollbacks are not recorded. */
  function servedAt(time: Moment): Release | undefined {
    const at = 'day' in time ? Date.parse(time.day) : time.instant
    const isBy = (moment: string) => Date.parse(moment) <= at
    if (served.currentSince !== null && isBy(served.currentSince)) return served
    return kept.find(({ publishedAt }) => isBy(publishedAt))
  }
}

/** Two releases with more records in total are compared in a separate thread. Here, they would hold up other requests. */
const MOST_COMPARED_HERE = 5000

/** Adds the changes of a dataset since one of its releases: `{path}/changes`. */
export function addChangesRoute(router: Router, context: ServedDataset): void {
  const { dataset, past } = context
  const { name, noun } = dataset
  const path = `${dataset.path}/changes`
  addEndpoint(router, {
    path,
    operationId: `listChangesOf${pascalCase(name)}`,
    tag: name,
    summary: `What changed in ${noun} since a release or a time`,
    description:
      'Applied to the records of the release `from`, the changes give those of `to`, which is served. Among vehicles, which have no id, equal fingerprints are paired in their order.',
    parameters: { since: sinceParameter },
    response: changesResponse(dataset.list.item ?? dataset.record),
    formats: [
      {
        name: ndjson.name,
        mediaType: ndjson.mediaType,
        description:
          'A first line with dataset, from, to and counts; then a line for each change, with `change` (added, changed or removed), `record` and, if changed, `before`.',
      },
    ],
    problems: [410],
    cacheVersion: context.release,
    async respond({ query, format }) {
      const to = context.snapshot().release
      const from = releaseSince(query.since, await past.kept(), to)
      const sides = { from, to }
      const written: ChangesFormat = format === ndjson.name ? 'ndjson' : 'json'
      const key = [path, written, from.number, from.hash, to.number].join()
      const about = describeRelease(to, NEWS_MAX_AGE_S, key)
      if (from.hash !== to.hash && from.rows + to.rows > MOST_COMPARED_HERE)
        return { ...about, body: { open: () => past.writeApart(sides, written), isApart: true } }
      return {
        ...about,
        body: () =>
          past.compare(sides, async differences => ({
            body: await buffer(writeChanges({ dataset: name, ...sides, differences }, written)),
          })),
      }
    },
  })
}

const pascalCase = (name: string) => name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())

const Releases = Type.Object({
  results: Type.Array(KeptRelease, { description: 'The releases that are kept, newest first.' }),
})

/** Adds GET /v1/datasets/{name}/releases: the releases of a dataset that the store keeps. */
export function addReleasesRoute(router: Router, contexts: readonly ServedDataset[]): void {
  const render = serialiser(Releases)
  addEndpoint(router, {
    path: '/v1/datasets/:name/releases',
    operationId: 'listReleases',
    tag: 'catalogue',
    summary: 'The releases of a dataset that are kept, newest first',
    description: 'Changes can be had between each of them and the one that is served.',
    parameters: {},
    params: Type.Object({
      name: Type.String({ description: 'Name of the dataset.', examples: ['toilets'] }),
    }),
    response: Releases,
    problems: [404, 414],
    async respond({ params }) {
      const { dataset, past, snapshot } = datasetNamed(contexts, params.name)
      const { release } = snapshot()
      const results = (await past.kept()).map(({ number, ...kept }) => ({ release: number, ...kept }))
      // Without a tag, so that it is a hash of the body: another instance may have read the list before the next release was
      // published.
      const { tag: _, ...about } = describeRelease(release, NEWS_MAX_AGE_S, dataset.name)
      return { ...about, linksOf: dataset.name, body: render({ results }) }
    },
  })
}
