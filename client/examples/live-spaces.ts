import { createClient } from 'public-data-client'

const client = createClient({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080' })

for await (const { event, data } of client.events()) {
  for (const { name, spaces, quality } of data.results) console.log(`${name}: ${spaces} free (${quality})`)
  // The first event has all car parks. To follow changes, do not break.
  if (event === 'snapshot') break
}
