import { useEffect, useState } from 'preact/hooks'
import { keepCurrent, type Shown, type Source } from './keep-current.ts'

/** Gives what a page with live counts is to show: what the service rendered at first, and in the browser what is so now. */
export function useCurrent<Data>(source: Source<Data>): Shown<Data> {
  const [shown, show] = useState<Shown<Data>>({
    data: source.initial,
    freshness: { state: 'unscripted' },
    retry() {},
  })
  // The page has one source for as long as it is open.
  useEffect(() => keepCurrent(source, show), [])
  return shown
}
