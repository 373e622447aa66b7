import { LAST_DAY } from './island-facts.ts'
import { type Random, seededRandom } from './random.ts'
import { GOODS, type Goods, HAZARDS, STEPS } from './recall-tables.ts'

const COUNT = 900
/** Far above the numbers of any real list. */
const FIRST_ID = 900_001
const MS_A_DAY = 86_400_000
const YEARS_BACK = 7

/** The island's product recalls in the API's own form, newest first, with publishers' HTML. */
export function productRecalls(seed: number) {
  const random = seededRandom(seed, 'product-recalls')
  const last = Date.parse(LAST_DAY)
  const dates = Array.from({ length: COUNT }, () => last - random.int(0, YEARS_BACK * 365) * MS_A_DAY)
  dates.sort((a, b) => b - a)
  return { results: dates.map((date, index) => recall(random, FIRST_ID + COUNT - 1 - index, new Date(date))) }
}

function recall(random: Random, id: number, date: Date) {
  const goods = random.pick(GOODS)
  const product = random.pick(goods.products)
  const brand = random.pick(goods.brands)
  const problem = random.pick(HAZARDS[goods.hazards])
  const batchCodes = random.chance(0.35) ? `L${random.int(1000, 9999)}${random.pick(['A', 'B', 'C'])}` : null
  const notice = goods.hazards === 'food' ? 'Recall Notice' : 'Safety Notice'
  return {
    id,
    title: `${product} (${brand}) – ${notice}`,
    imageUrl: `https://recalls.example/pictures/${id}.png`,
    brand,
    recallDate: localMidnight(date).toISOString(),
    packSize: random.chance(0.6) ? random.pick(goods.packs) : null,
    batchCodes: batchCodes ?? (random.chance(0.2) ? 'See full details below' : null),
    problem,
    furtherInformation: information(random, goods, product, brand, problem),
    websiteUrl: `https://recalls.example/notices/${id}`,
  }
}

/** Publishers write a date as local midnight, which in summer is 23:00 UTC of the day before. */
function localMidnight(date: Date): Date {
  const month = date.getUTCMonth()
  const isSummer = month >= 3 && month <= 8
  return new Date(date.getTime() - (isSummer ? 3_600_000 : 0))
}

function information(random: Random, goods: Goods, product: string, brand: string, problem: string): string {
  const parts = [
    `<p>${escaped(brand)} asks for its <strong>${escaped(product)}</strong> back.&nbsp;Reason: ${escaped(problem.toLowerCase())}.</p>`,
  ]
  if (random.chance(0.4)) {
    const packs = goods.packs.map(pack => `<li>${escaped(product)}, ${pack}</li>`).join('')
    parts.push(`<p>Products affected:</p><ul>${packs}</ul>`)
  }
  if (random.chance(0.15))
    parts.push(
      `<table><tbody><tr><th>Batch</th><th>Made</th></tr><tr><td>L${random.int(1000, 9999)}</td><td>${random.int(2018, 2025)}</td></tr></tbody></table>`,
    )
  parts.push(`<p>What to do:<br>${random.pick(STEPS[goods.hazards])}</p>`)
  if (random.chance(0.5))
    parts.push('<p>Questions: <a href="mailto:nobody@recalls.example">nobody@recalls.example</a></p>')
  parts.push('<p><em>This notice is invented: neither the product nor the hazard exists.</em></p>')
  return parts.join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
