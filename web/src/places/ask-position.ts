import type { Located } from './kinds.ts'

const ASKING: PositionOptions = { enableHighAccuracy: true, timeout: 10_000, maximumAge: 60_000 }

/** Asks the device where it is; rejects where it does not say. Called when somebody presses for it, and never before. */
export const askPosition = (): Promise<Located> =>
  new Promise((resolve, reject) => {
    // Browsers offer it to pages over HTTPS alone.
    if (!('geolocation' in navigator)) return reject(new Error('no geolocation'))
    navigator.geolocation.getCurrentPosition(({ coords }) => resolve(coords), reject, ASKING)
  })
