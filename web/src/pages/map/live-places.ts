import { useEffect, useState } from 'preact/hooks'
import { getJson } from '../../browser/get-json.ts'
import { type ListedPlace, withoutCount } from '../../places/kinds.ts'
import { type Asked, apiPath } from './asked.ts'
import { findPlaces } from './load.ts'

const REFRESH_MS = 60_000
/** Counts that the page could not update for so long are taken away, because they mislead. */
const KEPT_MS = 180_000

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
      // A device that slept must not show its earlier counts.
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
