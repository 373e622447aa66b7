import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useIsScripted } from '../../browser/use-is-scripted.ts'
import { declarePage, to, type ViewProps } from '../../page.ts'
import { mayLeadTo } from '../../places/directions.tsx'
import { isLocated, type ListedPlace } from '../../places/kinds.ts'
import { LocateButton } from '../../places/locate-button.tsx'
import { nearestFirst } from '../../places/nearest-first.ts'
import { ParishField } from '../../places/parish-field.tsx'
import { byParish, parishesOf, parishKey } from '../../places/parishes.ts'
import { PlaceSymbols } from '../../places/place-icons.tsx'
import { PlaceRows } from '../../places/place-row.tsx'
import { emergency as texts } from '../../texts/en/emergency.ts'
import { places as shared } from '../../texts/en/places.ts'
import { text } from '../../texts/text.ts'
import { ALTERNATIVES } from '../../words/lists.ts'
import { type EmergencyData, loadEmergency } from './load.ts'

const RETRY_S = 60
const NEAREST = 3

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

function View({ data, site }: ViewProps<EmergencyData>) {
  const { places, isRefused } = data
  const [from, setFrom] = useState<From>({ here: data.here, parish: data.parish })
  const found = useRef<HTMLElement>(null)
  // The results are above the button that found them.
  useEffect(() => {
    if (from.here !== data.here) found.current?.focus()
  }, [from.here])
  const [number = ''] = site.island.emergencyNumbers
  return (
    <>
      <PlaceSymbols />
      <h1>{texts.title}</h1>
      <a class="button large call" href={`tel:${number}`}>
        {text(texts.call, { number })}
      </a>
      <p>{text(texts.callFirst, { numbers: ALTERNATIVES.format(site.island.emergencyNumbers) })}</p>
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

/** The place to search from: a position, a parish, or both. */
type From = Pick<EmergencyData, 'here' | 'parish'>

interface FoundProps {
  readonly places: readonly ListedPlace[]
  readonly from: From
  readonly headingRef: RefObject<HTMLElement | null>
}

/** The defibrillators of the chosen parish, or else the three nearest to the reader. */
function Found({ places, from: { here, parish }, headingRef }: FoundProps) {
  if (here === null && parish === '') return null
  const ordered = here === null ? places.toSorted(byParish) : nearestFirst(places, here)
  const found =
    parish === ''
      ? ordered.filter(isLocated).slice(0, NEAREST)
      : ordered.filter(place => parishKey(place.parish ?? '') === parishKey(parish))
  const unlocated = parish === '' ? places.filter(place => !isLocated(place)).length : 0
  return (
    <section class="emergency-found" aria-labelledby="found" tabIndex={-1} ref={headingRef}>
      <h2 id="found" class={parish === '' ? 'visually-hidden' : undefined}>
        {parish === '' ? texts.nearest : text(texts.inParish, { parish })}
      </h2>
      {found.length === 0 && <p>{texts.noneInParish}</p>}
      <PlaceRows places={found} withKind={false} look="button" />
      {here !== null && mayLeadTo('defibrillators') && <p class="facts">{texts.straight}</p>}
      {unlocated > 0 && <p class="facts">{text(texts.unlocated, { count: unlocated })}</p>}
    </section>
  )
}

interface ChoiceProps extends Omit<FoundProps, 'headingRef'> {
  readonly onChoose: (from: From) => void
}

/** Asks for the position by one press, or for a parish. The parish needs no script. */
function Choice({ places, from, onChoose }: ChoiceProps) {
  const { here, parish } = from
  const isScripted = useIsScripted()
  const isLarge = here === null && parish === ''
  return (
    <form class="fields emergency-choice no-print" action={to('/emergency')} method="get">
      <LocateButton
        onLocate={({ latitude, longitude }) => onChoose({ here: { latitude, longitude }, parish: '' })}
        instead="parish"
        label={here === null ? texts.find : texts.findAgain}
        look={isLarge ? 'large' : 'plain'}
        atOnce={isLarge}
      />
      <ParishField
        parishes={parishesOf(places).map(({ name }) => name)}
        value={parish}
        none={texts.chooseParish}
        onChoose={value => onChoose({ here, parish: value })}
      />
      {!isScripted && <button type="submit">{texts.show}</button>}
    </form>
  )
}
