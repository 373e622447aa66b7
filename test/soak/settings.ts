/** How long it takes altogether, not counting the start of the services; the first round of faults may take longer. */
export const MINUTES = Number(process.env.SOAK_MINUTES || 30)

/** The same seed gives the same faults in the same order. */
export const SEED = Number(process.env.SOAK_SEED || Math.floor(Math.random() * 1e6))

/** Where the figures go as JSON too. */
export const RESULTS = process.env.SOAK_RESULTS

/** From the beginning of a fault to that of the next; less where there would be no time for each kind. */
export const INTERVAL_MS = 20_000

/** Who asks well, and who does not: addresses that the service tells apart. */
export const HONEST = '127.0.0.3'
export const HOSTILE = '127.0.0.2'
