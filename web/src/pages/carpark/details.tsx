import { to } from '../../address.ts'
import { paymentOf, stayOf, surfaceOf } from '../../parking/car-park-words.ts'
import type { CarPark } from '../../parking/records.ts'
import { Fact } from '../../parts/fact.tsx'
import { Directions } from '../../places/directions.tsx'

/** What a car park is: spaces, ways to pay, where. */
export function Details({ carPark }: { readonly carPark: CarPark }) {
  const { id, latitude, longitude, notes, owner, multiStorey } = carPark
  const spaces = [
    [carPark.disabledSpaces, 'for disabled people'],
    [carPark.parentChildSpaces, 'for parents with children'],
    [carPark.electricChargingSpaces, 'with electric charging'],
  ] as const
  const special = spaces.filter(([number]) => number > 0).map(([number, whose]) => `${number} ${whose}`)
  const payment = paymentOf(carPark)
  return (
    <section aria-labelledby="details">
      <h2 id="details">About this car park</h2>
      <dl class="facts-list details">
        <Fact name="Spaces">
          {carPark.spaces} in all{special.length > 0 && `, of which ${special.join(', ')}`}
        </Fact>
        <Fact name="Stay">{stayOf(carPark)}</Fact>
        <Fact name="Pay by">{payment}</Fact>
        <Fact name="Building">
          {multiStorey ? 'Several storeys' : 'One level'}, {surfaceOf(carPark).toLowerCase()}
        </Fact>
        <Fact name="Owner">{owner?.name}</Fact>
        <Fact name="Notes">{notes}</Fact>
        {latitude !== null && longitude !== null && (
          <Fact name="Where">
            <a href={to(`/map?place=carparks/${id}`)}>On the map</a> · <Directions place={carPark} /> ·{' '}
            <span class="muted">
              {latitude.toFixed(5)}, {longitude.toFixed(5)}
            </span>
          </Fact>
        )}
      </dl>
    </section>
  )
}
