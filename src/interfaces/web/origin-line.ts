import type { Origin } from '../../datasets/origin.ts'
import { type Html, html } from './page.ts'

/** Publisher and licence of a dataset on one line, with the words that its licence asks for. */
export function originLine({ publisher, licence, licenceUrl, sourceUrl, attribution }: Origin): Html {
  const whose = publisher ?? 'publisher not stated'
  return html`${linked(whose, sourceUrl)} · ${linked(licence ?? 'licence not stated', licenceUrl)}${attribution === null ? '' : ` · ${attribution}`}`
}

const linked = (text: string, address: string | null): Html =>
  address === null ? html`${text}` : html`<a href="${address}">${text}</a>`
