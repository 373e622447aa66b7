import { declarePage, type ViewProps } from '../../page.ts'
import { PlaceSymbols } from '../../places/place-icons.tsx'
import { KeptPlacesList } from './kept-places-list.tsx'

/** What a device shows without a network: the places that it keeps. The service worker keeps this page too. */
export const offline = declarePage<null>({
  path: '/offline',
  maxAge: 300,
  script: 'offline',
  isListed: false,
  load: async () => null,
  title: () => 'Kept on this device',
  description: () => 'The toilets and defibrillators that this device keeps for when it is offline.',
  View,
})

function View({ site }: ViewProps<null>) {
  return (
    <>
      <PlaceSymbols />
      <h1>Kept on this device</h1>
      <p>
        While this device is offline, or the service does not respond, these places are all that can be shown.
      </p>
      <p>
        {/* The service worker shows this page at the address of the one that was asked for. */}
        <button type="button" class="plain" onClick={() => location.reload()}>
          Try again
        </button>
      </p>
      <KeptPlacesList synthetic={site.synthetic} />
    </>
  )
}
