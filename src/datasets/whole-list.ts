import Type, { type TSchema } from 'typebox'
import { fromRelease } from '../http/response/representation.ts'
import { serialiser } from '../http/response/serialiser.ts'
import { addEndpoint } from '../http/routing/endpoint.ts'
import type { Router } from '../http/routing/router.ts'
import { oncePerSnapshot } from '../releases/snapshots/snapshot.ts'
import type { DatasetContext } from './dataset.ts'

/** The response of a list that is served whole. */
export const listOf = (item: TSchema) =>
  Type.Object({ results: Type.Array(item, { description: 'Every entry.' }) })

/** The endpoint of a dataset that is served whole: `{results: [...]}`, made once per release. */
export function wholeList(list: { operationId: string; summary: string; item: TSchema }) {
  return (router: Router, context: DatasetContext): void => {
    const { name, path, maxAge } = context.dataset
    const response = listOf(list.item)
    const render = serialiser(response)
    const body = oncePerSnapshot(snapshot => render({ results: snapshot.records }))
    addEndpoint(router, {
      path,
      operationId: list.operationId,
      tag: name,
      summary: list.summary,
      parameters: {},
      response,
      cacheVersion: context.release,
      respond: () => {
        const snapshot = context.snapshot()
        return fromRelease(snapshot.release, maxAge, { key: path, body: body(snapshot) })
      },
    })
  }
}
