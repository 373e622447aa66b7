import { buffer } from 'node:stream/consumers'
import type { DatasetContext } from '../../datasets/dataset.ts'
import { describeRelease } from '../../datasets/release-representation.ts'
import { ndjson } from '../../formats/ndjson.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import { changesResponse } from './changes-schema.ts'
import { releaseSince, sinceParameter } from './since.ts'
import { type ChangesFormat, writeChanges } from './write-changes.ts'

/** Who follows the changes wants to know of a new release before copies of the list expire; asking again costs a 304. */
export const NEWS_MAX_AGE_S = 300

/** Releases with more records together are compared in a thread of their own: they would hold up other requests here. */
const MOST_COMPARED_HERE = 5000

/** Adds the changes of a dataset since one of its releases: `{path}/changes`. */
export function addChangesRoute(router: Router, context: DatasetContext): void {
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
