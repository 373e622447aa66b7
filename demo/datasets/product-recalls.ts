import { DAY_MS, HOUR_MS } from '../../src/values/time-units.ts'
import { LAST_DAY } from '../island-facts.ts'
import { type Random, seededRandom } from '../random.ts'
import { list } from '../tables.ts'

const COUNT = 900
/** Far above the numbers of real lists. */
const FIRST_ID = 900_001
const YEARS_BACK = 7

/** A kind of goods with invented brands, hazards, and advice. */
interface Goods {
  readonly notice: string
  readonly products: readonly string[]
  readonly brands: readonly string[]
  readonly packs: readonly string[]
  readonly hazards: readonly string[]
  readonly steps: readonly string[]
}

const GOODS: readonly Goods[] = [
  {
    notice: 'Recall Notice',
    products: list(`
      Hazelnut Oat Bars, Honey Mustard Crisps, Smoked Salmon Slices, Vegan Mushroom Pie, Chicken and Leek Soup,
      Dark Chocolate Buttons, Soft Goat Cheese, Tomato and Basil Sauce, Sea Salt Popcorn, Baby Spinach,
      Raspberry Yoghurt, Mixed Bean Salad, Gluten Free Wraps, Cooked Prawns`),
    brands: list('Fablefare, Mirage Mills, Wyvern & Nought, Unicorn Pantry, Make-Believe Dairy, Exemplario'),
    packs: list('6 x 35g, 150g, 400g, 1kg, 4 x 125g, 75cl'),
    hazards: list(`
      Allergy risk to peanuts, Allergy risk to milk, Undeclared gluten, May contain pieces of metal,
      May contain pieces of plastic, Possible presence of salmonella, Possible presence of listeria,
      Wrong use-by date`),
    steps: [
      'Do not eat it. Take it back to the shop for a refund.',
      'If you have an allergy, do not eat it.',
    ],
  },
  {
    notice: 'Safety Notice',
    products: list(`
      Wooden Train Set, Glow Slime Tub, Plush Griffin, Magnetic Building Balls, Bath Boat, Children's Face Paint,
      Doll with Pram, Bubble Wand`),
    brands: list('Nowhere Toys, Lost King Games, Chimera Kids, Phantasmo'),
    packs: list('one set, pack of 12, 36 pieces'),
    hazards: list('Choking hazard, Risk of strangulation, Chemical risk, Risk of suffocation'),
    steps: ['Take it away from children at once.', 'Stop using it and take it back to the shop.'],
  },
  {
    notice: 'Safety Notice',
    products: list(`
      Travel Adapter, USB Charger, Fan Heater, Hair Straightener, LED String Lights, Electric Blanket,
      Kettle 1.7 l, Power Bank, Scooter Battery`),
    brands: list('Voltamirage, Fictolux, Nulltec, Chimera Home'),
    packs: list('230 V, pack of 2, white and black'),
    hazards: list('Risk of electric shock, Risk of fire, Risk of burns'),
    steps: ['Unplug it and do not use it again.', 'Stop using it and ask the seller for a refund.'],
  },
  {
    notice: 'Safety Notice',
    products: list("Child's Car Seat, Cycle Helmet, Mountain Bike Fork, Roof Box, Motorcycle Brake Pads"),
    brands: list('Griffin Cycles, Seven Sleeps, Nowhere Motion'),
    packs: list('size M, size L, one pair'),
    hazards: list('Risk of injury, May fail under load, Straps may come loose'),
    steps: ['Do not use it until the part has been replaced.', 'Stop using it and ask the seller.'],
  },
]

/** The island's product recalls in the API's own form, newest first, with publishers' HTML. */
export function productRecalls(seed: number) {
  const random = seededRandom(seed, 'product-recalls')
  const last = Date.parse(LAST_DAY)
  const dates = Array.from({ length: COUNT }, () => last - random.int(0, YEARS_BACK * 365) * DAY_MS)
  dates.sort((a, b) => b - a)
  return { results: dates.map((date, index) => recall(random, FIRST_ID + COUNT - 1 - index, new Date(date))) }
}

function recall(random: Random, id: number, date: Date) {
  const goods = random.pick(GOODS)
  const product = random.pick(goods.products)
  const brand = random.pick(goods.brands)
  const problem = random.pick(goods.hazards)
  const batchCodes = random.chance(0.35) ? `L${random.int(1000, 9999)}${random.pick(['A', 'B', 'C'])}` : null
  return {
    id,
    title: `${product} (${brand}) – ${goods.notice}`,
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

/** Publishers write a date as local midnight. In summer this is 23:00 UTC of the previous day. */
function localMidnight(date: Date): Date {
  const month = date.getUTCMonth()
  const isSummer = month >= 3 && month <= 8
  return new Date(date.getTime() - (isSummer ? HOUR_MS : 0))
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
  parts.push(`<p>What to do:<br>${random.pick(goods.steps)}</p>`)
  if (random.chance(0.5))
    parts.push('<p>Questions: <a href="mailto:nobody@recalls.example">nobody@recalls.example</a></p>')
  parts.push('<p><em>This notice is invented: neither the product nor the hazard exists.</em></p>')
  return parts.join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
