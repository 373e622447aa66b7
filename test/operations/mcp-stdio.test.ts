import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { freePort } from '../support/free-port.ts'
import { ISLAND } from '../support/island.ts'
import { listen } from '../support/raw-http.ts'
import { build } from '../support/service.ts'
import { ROOT } from '../support/tracked-files.ts'

const PROGRAM = join(ROOT, 'mcp/bin/pds-mcp.js')

test('an agent reaches the tools of a service over stdio', async t => {
  const { app } = await build(t, ISLAND)
  const port = await listen(app)
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, `http://127.0.0.1:${port}/`],
    stderr: 'inherit',
  })
  await client.connect(transport)
  t.after(() => client.close())
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'search_vehicles'))
  assert.match(client.getInstructions() ?? '', /read-only/)
  const found = await client.callTool({ name: 'search_vehicles', arguments: { make: 'ford' } })
  assert.equal((found.structuredContent as { count: number }).count, 2)
  const wrong = await client.callTool({ name: 'search_vehicles', arguments: { limit: 0 } })
  assert.equal(wrong.isError, true)

  await t.test('a service that is gone is an error of the call', async () => {
    await app.close()
    const { isError, content } = await client.callTool({ name: 'list_datasets' })
    assert.equal(isError, true)
    assert.match(JSON.stringify(content), /did not answer: /)
  })
})

test('a mistake at the start is one line', async () => {
  const start = (...words: string[]) =>
    spawnSync(process.execPath, [PROGRAM, ...words], { encoding: 'utf8', env: { PATH: process.env.PATH } })
  const nobody = start(`http://127.0.0.1:${await freePort()}`)
  assert.equal(nobody.status, 1)
  assert.match(nobody.stderr, /^pds-mcp: http:\/\/127\.0\.0\.1:\d+\/mcp does not answer: .*\n$/)
  for (const words of [[], ['ftp://data.example'], ['data.example'], ['http://a', 'http://b']]) {
    const { status, stderr, stdout } = start(...words)
    assert.deepEqual([status, stdout], [2, ''])
    assert.match(stderr, /^pds-mcp: .*usage: .*\n$/)
  }
})
