import { useEffect, useRef, useState } from 'preact/hooks'
import { ISLAND } from '../../../../src/island/island.ts'
import { declarePage, to, type ViewProps } from '../../page.ts'
import { PlaceSymbols } from '../../places/place-icons.tsx'
import { emergency as texts } from '../../texts/en/emergency.ts'
import { places as shared } from '../../texts/en/places.ts'
import { text } from '../../texts/text.ts'
import { ALTERNATIVES } from '../../words/lists.ts'
import { Choice } from './choice.tsx'
import { Found } from './found.tsx'
import { type EmergencyData, loadEmergency } from './load.ts'

const RETRY_S = 60

/** The call for help, and the way to the nearest defibrillators. The service worker keeps this page too. */
export const emergency = declarePage<EmergencyData>({
  path: '/emergency',
  maxAge: 300,
  script: 'emergency',
  hydrated: true,
  load: loadEmergency,
  title: () => texts.title,
  description: () => texts.description,
  status: ({ places, isRefused }) => (places === null ? 503 : isRefused ? 400 : 200),
  retryAfterS: ({ places }) => (places === null ? RETRY_S : undefined),
  View,
})

function View({ data }: ViewProps<EmergencyData>) {
  const { places, isRefused } = data
  const [from, setFrom] = useState({ here: data.here, parish: data.parish })
  const found = useRef<HTMLElement>(null)
  // The results are above the button that found them.
  useEffect(() => {
    if (from.here !== data.here) found.current?.focus()
  }, [from.here])
  const [number = ''] = ISLAND.emergencyNumbers
  return (
    <>
      <PlaceSymbols />
      <h1>{texts.title}</h1>
      <a class="button large call" href={`tel:${number}`}>
        {text(texts.call, { number })}
      </a>
      <p>{text(texts.callFirst, { numbers: ALTERNATIVES.format(ISLAND.emergencyNumbers) })}</p>
      {isRefused && from.here === null && <p class="notice">{shared.notLocated}</p>}
      {places === null ? (
        <p class="notice">{texts.unavailable}</p>
      ) : (
        <>
          <Found places={places} from={from} headingRef={found} />
          <Choice places={places} from={from} onChoose={setFrom} />
        </>
      )}
      <p>
        <a href={to('/map?dataset=defibrillators')}>{texts.onMap}</a>
      </p>
    </>
  )
}
