import { createClient } from 'public-data-client'

const client = createClient({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080' })

let count = 0
let electric = 0
for await (const vehicle of client.records('/v1/vehicles', { make: 'ford', fields: ['fuelType'] })) {
  count++
  if (vehicle.fuelType === 'ELECTRIC') electric++
}
console.log(`${electric} of ${count} Fords are electric`)
