import { createClient } from 'public-data-client'

const client = createClient({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080' })

const { data, response } = await client.GET('/v1/vehicles', {
  params: { query: { make: 'ford', color: 'blue', limit: 1 } },
})
const [vehicle] = data.results
console.log(`${data.pagination.totalItems} blue Fords, the newest a ${vehicle?.model}`)
console.log(`as of ${response.headers.get('last-modified')}`)
