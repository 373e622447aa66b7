import { to } from '../../address.ts'
import { paymentOf, stayOf, surfaceOf } from '../../parking/car-park-words.ts'
import type { CarPark } from '../../parking/records.ts'
import { Fact } from '../../parts/fact.tsx'
import { Directions } from '../../places/directions.tsx'
import { carpark as texts } from '../../texts/en/carpark.ts'
import { text } from '../../texts/text.ts'

/** The facts about a car park: its spaces, ways to pay and position. */
export function Details({ carPark }: { readonly carPark: CarPark }) {
  const { id, latitude, longitude, notes, owner, multiStorey } = carPark
  const spaces = [
    [carPark.disabledSpaces, texts.disabled],
    [carPark.parentChildSpaces, texts.parentChild],
    [carPark.electricChargingSpaces, texts.charging],
  ] as const
  const special = spaces
    .flatMap(([count, message]) => (count > 0 ? [text(message, { count })] : []))
    .join(', ')
  const payment = paymentOf(carPark)
  return (
    <section aria-labelledby="details">
      <h2 id="details">{texts.about}</h2>
      <dl class="facts-list details">
        <Fact name={texts.facts.spaces}>
          {special === ''
            ? text(texts.spaces, { count: carPark.spaces })
            : text(texts.spacesWithSpecial, { count: carPark.spaces, special })}
        </Fact>
        <Fact name={texts.facts.stay}>{stayOf(carPark)}</Fact>
        <Fact name={texts.facts.payBy}>{payment}</Fact>
        <Fact name={texts.facts.building}>
          {text(texts.building, {
            storeys: multiStorey ? 'several' : 'one',
            surface: surfaceOf(carPark).toLowerCase(),
          })}
        </Fact>
        <Fact name={texts.facts.owner}>{owner?.name}</Fact>
        <Fact name={texts.facts.notes}>{notes}</Fact>
        {latitude !== null && longitude !== null && (
          <Fact name={texts.facts.where}>
            <a href={to(`/map?place=carparks/${id}`)}>{texts.onMap}</a> · <Directions place={carPark} /> ·{' '}
            <span class="muted">
              {latitude.toFixed(5)}, {longitude.toFixed(5)}
            </span>
          </Fact>
        )}
      </dl>
    </section>
  )
}
