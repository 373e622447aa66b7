import { createClient } from 'public-data-client'

const client = createClient({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080' })

for await (const { event, data } of client.events()) {
  for (const { name, spaces, quality } of data.results) console.log(`${name}: ${spaces} free (${quality})`)
  // The first event is all of them; to follow the changes, go on.
  if (event === 'snapshot') break
}
