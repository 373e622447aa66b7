import type { components } from '../../../../client/src/schema.ts'
import { declarePage } from '../../page.ts'
import { OriginLine, UpdatedAt } from '../../parts/origin.tsx'
import { recalls as texts } from '../../texts/en/recalls.ts'
import { FIELDS, type RecallList } from '../recalls/load.ts'
import { RecallItem } from '../recalls/page.tsx'

/** The newest product recalls, for a frame of another site. */
export const embeddedRecalls = declarePage({
  path: '/embed/recalls',
  maxAge: 300,
  async load({ get }) {
    const [list, origin] = await Promise.all([
      get<RecallList>(`/v1/product-recalls?sort=-recallDate&limit=5&fields=${FIELDS}`),
      get<components['schemas']['CatalogueEntry']>('/v1/datasets/product-recalls'),
    ])
    return { list, origin }
  },
  title: () => texts.title,
  description: () => texts.description,
  View: ({ data: { list, origin } }) => (
    <>
      <h1>{texts.title}</h1>
      <ol class="recalls">
        {list.results.map(recall => (
          <RecallItem key={recall.id} recall={recall} heading="h2" />
        ))}
      </ol>
      <OriginLine origin={origin} />
      <p class="facts">{origin.updatedAt !== null && <UpdatedAt at={origin.updatedAt} />}</p>
    </>
  ),
})
