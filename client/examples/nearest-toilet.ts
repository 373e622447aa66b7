import { createClient } from 'public-data-client'

const client = createClient({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080' })

const { data } = await client.GET('/v1/toilets', {
  params: { query: { near: [49.1868, -2.1064], facility: ['BABY_CHANGING'], limit: 1 } },
})
for (const { name, parish, distanceMetres } of data.results)
  console.log(`${name}, ${parish}: ${distanceMetres} m`)
