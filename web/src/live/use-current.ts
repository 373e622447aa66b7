import { useEffect, useState } from 'preact/hooks'
import { keepCurrent, type Shown, type Source } from './keep-current.ts'

/** Gives the data of a page with live counts: first the rendered data, and in the browser the newest data. */
export function useCurrent<Data>(source: Source<Data>): Shown<Data> {
  const [shown, show] = useState<Shown<Data>>({
    data: source.initial,
    freshness: { state: 'unscripted' },
    retry() {},
  })
  // The page keeps one source while it is open.
  useEffect(() => keepCurrent(source, show), [])
  return shown
}
