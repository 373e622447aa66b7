import { useEffect, useState } from 'preact/hooks'
import { getJson } from '../../browser/get-json.ts'
import type { Place } from '../../places/kinds.ts'
import { type Asked, apiPath } from './asked.ts'
import { findPlaces } from './load.ts'

const REFRESH_MS = 60_000
/** Counts that could not be renewed for so long are taken away: they mislead soon. */
const KEPT_MS = 180_000

interface LivePlaces {
  readonly places: readonly Place[]
  /** True where the counts could not be renewed and are gone. */
  readonly outOfDate: boolean
}

/** Places with their counts renewed each minute while somebody looks; old counts are taken away. */
export function useLivePlaces(
  first: readonly Place[],
  { asked, refused }: { readonly asked: Asked; readonly refused: readonly string[] },
): LivePlaces {
  const [live, setLive] = useState<LivePlaces>({ places: first, outOfDate: false })
  const url = apiPath(asked, refused)
  useEffect(() => {
    if (!first.some(({ freeSpaces }) => typeof freeSpaces === 'number')) return
    let renewedAt = Date.now()
    const expire = () => {
      if (Date.now() - renewedAt >= KEPT_MS)
        setLive(({ places }) => ({ places: places.map(withoutCount), outOfDate: true }))
    }
    const renew = async () => {
      // A device that slept must not show what it counted before.
      expire()
      if (document.hidden) return
      try {
        const { results } = await findPlaces(asked, getJson, refused)
        renewedAt = Date.now()
        setLive({ places: results, outOfDate: false })
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
  }, [first, url])
  return live
}

const withoutCount = (place: Place): Place =>
  'freeSpaces' in place ? { ...place, freeSpaces: null, open: null, quality: null, observedAt: null } : place
