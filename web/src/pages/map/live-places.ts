import { useEffect, useRef, useState } from 'preact/hooks'
import { getJson } from '../../browser/get-json.ts'
import { type ListedPlace, withoutCount } from '../../places/kinds.ts'
import { type Asked, mapAddress } from './asked.ts'
import { findPlaces, loadMap, type MapData } from './load.ts'

const REFRESH_MS = 60_000
/** Counts that the page could not update for so long are taken away, because they mislead. */
const KEPT_MS = 180_000

interface AskedPlaces {
  readonly data: MapData
  /** The filters that were last chosen: `data` follows once it is loaded. */
  readonly chosen: Asked
  readonly ask: (asked: Asked) => Promise<void>
}

/** The places of the address, and a function that asks for others without opening another page. */
export function useAsked(first: MapData): AskedPlaces {
  const [data, setData] = useState(first)
  const [chosen, setChosen] = useState(first.asked)
  const newest = useRef('')
  const ask = async (asked: Asked) => {
    const address = mapAddress(asked)
    newest.current = address
    setChosen(asked)
    history.replaceState(null, '', address)
    try {
      const found = await loadMap({ query: new URL(address, location.href).searchParams, get: getJson })
      if (newest.current === address) setData(found)
    } catch {
      // Without a network, the device has a page for offline use at this address.
      location.assign(address)
    }
  }
  return { data, chosen, ask }
}

interface LivePlaces {
  readonly places: readonly ListedPlace[]
  /** True if the page could not update the counts, and has taken them away. */
  readonly outOfDate: boolean
}

/** Places with their counts, updated each minute while somebody looks. Old counts are taken away. */
export function useLivePlaces(
  first: readonly ListedPlace[],
  { asked, refused }: { readonly asked: Asked; readonly refused: readonly string[] },
): LivePlaces {
  const [live, setLive] = useState({ of: first, places: first, outOfDate: false })
  useEffect(() => {
    if (!first.some(({ freeSpaces }) => typeof freeSpaces === 'number')) return
    let places = first
    let renewedAt = Date.now()
    const expire = () => {
      if (Date.now() - renewedAt >= KEPT_MS)
        setLive({ of: first, places: places.map(withoutCount), outOfDate: true })
    }
    const renew = async () => {
      // A device that slept must not show its earlier counts.
      expire()
      if (document.hidden) return
      try {
        const { results } = await findPlaces(asked, getJson, refused)
        if (controller.signal.aborted) return
        places = results
        renewedAt = Date.now()
        setLive({ of: first, places, outOfDate: false })
      } catch {
        expire()
      }
    }
    const timer = setInterval(renew, REFRESH_MS)
    const controller = new AbortController()
    for (const target of [document, window])
      for (const event of ['visibilitychange', 'pageshow', 'online'])
        target.addEventListener(event, renew, { signal: controller.signal })
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [first])
  // The effect runs after the first rendering of other places, which may not show the places before them.
  return live.of === first ? live : { places: first, outOfDate: false }
}
