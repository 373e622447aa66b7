import { buffer } from 'node:stream/consumers'
import Type from 'typebox'
import type { DatasetContext } from '../../datasets/dataset.ts'
import { describeRelease } from '../../datasets/release-representation.ts'
import { ndjson } from '../../formats/ndjson.ts'
import { serialiser } from '../../http/response/serialiser.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import { datasetNamed } from '../catalogue/dataset-named.ts'
import {
  type ChangesFormat,
  changesResponse,
  describeKept,
  KeptRelease,
  writeChanges,
} from './changes-document.ts'
import { releaseSince, sinceParameter } from './since.ts'

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

const Releases = Type.Object({
  results: Type.Array(KeptRelease, { description: 'The releases that are kept, newest first.' }),
})

/** Adds GET /v1/datasets/{name}/releases: the releases of a dataset that the store keeps. */
export function addReleasesRoute(router: Router, contexts: readonly DatasetContext[]): void {
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
      const results = (await past.kept()).map(describeKept)
      // By its bytes: another instance may have read the list before the next release was published.
      const { tag: _, ...about } = describeRelease(release, NEWS_MAX_AGE_S, dataset.name)
      const links = (synthetic: boolean) => router.shared.linksOf(dataset.name, synthetic)
      return { ...about, links, body: render({ results }) }
    },
  })
}
