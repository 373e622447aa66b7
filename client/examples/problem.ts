import { createClient, ProblemError } from 'public-data-client'

const client = createClient({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080' })

try {
  await client.GET('/v1/vehicles', { params: { query: { startDate: '2023-02-30' } } })
} catch (error) {
  if (!(error instanceof ProblemError)) throw error
  console.log(`${error.code}: ${error.detail}`)
  for (const { parameter, allowed } of error.errors) console.log(`${parameter}: ${allowed}`)
}
