import { declarePage, type ViewProps } from '../../page.ts'
import { PlaceSymbols } from '../../places/place-icons.tsx'
import { offline as texts } from '../../texts/en/offline.ts'
import { EmergencyLink } from '../emergency/emergency-link.tsx'
import { KeptPlacesList } from './kept-places-list.tsx'

/** The places that a device shows without a network. The service worker keeps this page too. */
export const offline = declarePage<null>({
  path: '/offline',
  maxAge: 300,
  script: 'offline',
  hydrated: true,
  isListed: false,
  load: async () => null,
  title: () => texts.title,
  description: () => texts.description,
  View,
})

function View({ site }: ViewProps<null>) {
  return (
    <>
      <PlaceSymbols />
      <h1>{texts.title}</h1>
      <EmergencyLink />
      <p>{texts.lead}</p>
      <p>
        {/* The service worker shows this page at the address of another page. */}
        <button type="button" class="plain" onClick={() => location.reload()}>
          {texts.retry}
        </button>
      </p>
      <KeptPlacesList synthetic={site.synthetic} />
    </>
  )
}
