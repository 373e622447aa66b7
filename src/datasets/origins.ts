import type { Origin } from './dataset.ts'

/** The Government of Jersey's open data. */
export function governmentOfJersey(sourceUrl: string): Origin {
  return {
    publisher: 'Government of Jersey',
    licence: 'Open Government Licence – Jersey v1.0',
    licenceUrl: 'https://opendata.gov.je/about',
    sourceUrl,
  }
}
