import { declarePage, type Page } from '../../page.ts'
import { type Place, placePath } from '../../places/kinds.ts'
import { place as texts } from '../../texts/en/place.ts'
import { text } from '../../texts/text.ts'
import { loadPlace, type PlaceData } from './load.ts'
import { absenceOf, nameOf, notFoundTitle, PlaceView } from './place-view.tsx'
import { structuredPlace } from './structured.ts'

/** The head of a page of one place. */
export const PLACE_HEAD = {
  title: data =>
    data.place === null
      ? (data.removed?.name ?? notFoundTitle(data.dataset))
      : text(texts.title, { name: data.place.name, kind: nameOf(data.place) }),
  description: data =>
    data.place === null
      ? absenceOf(data)
      : [nameOf(data.place), ...data.facts.map(fact => fact.join(': '))].join('. '),
  canonical: ({ place }) => (place === null ? undefined : placePath(place)),
  status: data => (data.place !== null ? 200 : data.removed === undefined ? 404 : 410),
  structured: structuredPlace,
} satisfies Partial<Page<PlaceData>>

/** A page for each toilet, defibrillator and recycling centre. The address of a car park leads to the page with its count. */
export const place = declarePage<PlaceData>({
  ...PLACE_HEAD,
  path: '/places/:dataset/:id',
  maxAge: 600,
  script: 'place',
  hydrated: true,
  load: ({ params: { dataset = '', id = '' }, get }) => loadPlace(get, dataset, id),
  async addresses(get) {
    const { results } = await get<{ results: readonly Place[] }>('/v1/places')
    return results.filter(({ dataset }) => dataset !== 'carparks').map(placePath)
  },
  View: PlaceView,
})
