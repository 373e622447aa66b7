import Type from 'typebox'
import type { DatasetContext } from '../../datasets/dataset.ts'
import { describeRelease } from '../../datasets/release-representation.ts'
import { serialiser } from '../../http/response/serialiser.ts'
import { addEndpoint } from '../../http/routing/endpoint.ts'
import type { Router } from '../../http/routing/router.ts'
import { datasetNamed } from '../catalogue/dataset-named.ts'
import { NEWS_MAX_AGE_S } from './changes-route.ts'
import { describeKept, KeptRelease } from './changes-schema.ts'

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
