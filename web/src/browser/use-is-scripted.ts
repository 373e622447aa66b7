import { useEffect, useState } from 'preact/hooks'

/** False in what the service renders and in the first rendering of a script, which must agree with it. Then true. */
export function useIsScripted(): boolean {
  const [isScripted, setScripted] = useState(false)
  useEffect(() => setScripted(true), [])
  return isScripted
}
