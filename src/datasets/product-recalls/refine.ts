import { NO_VALUE, Rejection } from '../../releases/import/importable.ts'
import { plainText, safeHtml } from './html.ts'
import type { ProductRecall } from './schema.ts'

/** Text that the publisher's scraper leaves at the end of titles. */
const SCRAPED_ENDING = / ?Our sites$/

/** Makes a recall safe to show: plain text stays text, HTML is reduced to the allow-list, addresses are web addresses. */
export function refineRecall(recall: ProductRecall): ProductRecall {
  return {
    ...recall,
    title: filled('title', plainText(recall.title).replace(SCRAPED_ENDING, '')),
    imageUrl: webAddress('imageUrl', recall.imageUrl),
    brand: stated(plainText(recall.brand)),
    packSize: plainOrNull(recall.packSize),
    batchCodes: plainOrNull(recall.batchCodes),
    problem: filled('problem', plainText(recall.problem)),
    furtherInformation: stated(safeHtml(recall.furtherInformation)),
    websiteUrl: webAddress('websiteUrl', recall.websiteUrl),
  }
}

const plainOrNull = (text: string | null) => (text === null ? null : stated(plainText(text)) || null)

/** The text, or empty if the text only says that there is no value. */
const stated = (text: string) => (NO_VALUE.test(text) ? '' : text)

function filled(field: string, text: string): string {
  if (stated(text) === '') throw new Rejection(field, text, 'has no text besides markup')
  return text
}

/** Allows only web addresses: consumers put them into links and pictures, where `javascript:` would run. */
function webAddress(field: string, address: string): string {
  if (address !== '' && !/^https?:\/\//i.test(address))
    throw new Rejection(field, address, 'must start with http:// or https://')
  // No address contains these characters, and consumers put addresses between quotes.
  return address.replace(/["<>`]/g, encodeURIComponent)
}
