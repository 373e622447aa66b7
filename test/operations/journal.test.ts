import assert from 'node:assert/strict'
import { chmod, writeFile } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { emptyFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { pds, startPds } from '../support/pds.ts'
import { watchServing } from '../support/serving.ts'

const TOKEN = 'correct-horse-battery'
const ACTOR = `${userInfo().username}@${hostname()}`

const list = (...names: string[]) => `name,parish\n${names.map(name => `${name},St. Helier\n`).join('')}`
const NAMES = ['Harbour', 'Market', 'Pier', 'Beach', 'Castle', 'Station', 'Museum', 'Library']

/** A folder with a store whose second import was refused, and the list that was refused. */
async function refusedFolder(t: Parameters<typeof emptyFolder>[0]): Promise<string> {
  const folder = await emptyFolder(t)
  await writeFile(join(folder, 'all.csv'), list(...NAMES))
  await writeFile(join(folder, "it's <few>.csv"), list('Harbour'))
  assert.equal((await pds(folder, ['import', 'toilets', 'all.csv'])).status, 0)
  for (let time = 1; time <= 2; time++)
    assert.equal((await pds(folder, ['import', 'toilets', "it's <few>.csv"])).status, 1)
  return folder
}

test('pds journal shows what was published, refused, accepted and rolled back, and a report with the command to accept it', async t => {
  const folder = await refusedFolder(t)
  const refused = await pds(folder, ['journal', 'toilets', '2'])
  assert.match(
    refused.stdout,
    /^toilets 2 {2}\S+Z {2}refused, 2 times since \S+Z, by pds import \(\S+\), from it's <few>\.csv: row-count/,
  )
  assert.match(refused.stdout, /\n {2}removed +7\n/)
  const [, command = ''] = /^to publish it as it is: pds (.+)$/m.exec(refused.stdout) ?? []
  const [options = ''] = /--accept.+/.exec(command) ?? []
  assert.equal(command, `import toilets 'it'\\''s <few>.csv' ${options}`)
  const accepted = await pds(folder, ['import', 'toilets', "it's <few>.csv", ...options.split(' ')])
  assert.equal(accepted.status, 0, accepted.stderr)
  assert.equal((await pds(folder, ['rollback', 'toilets'])).status, 0)

  const { stdout } = await pds(folder, ['journal'])
  const events = stdout.split('\n').map(line => line.split('  ')[2]?.replace(/,? (?:2 times|by).*/, ''))
  assert.deepEqual(events, [
    'rolled back release 1',
    'accepted release 2',
    'refused',
    'published release 1',
    undefined,
  ])
  const [rolledBack, , , published] = JSON.parse((await pds(folder, ['journal', 'toilets', '--json'])).stdout)
  assert.deepEqual([rolledBack.actor, rolledBack.hash], [`pds rollback (${ACTOR})`, published.hash])
  const entry = JSON.parse((await pds(folder, ['journal', 'toilets', '3', '--json'])).stdout)
  assert.deepEqual([entry.event, entry.report.release.number], ['accepted', 2])
  assert.equal(
    entry.detail
      .split(', ')
      .map((name: string) => `--accept ${name}`)
      .join(' '),
    options,
  )
})

test('pds journal refuses what does not exist in one line', async t => {
  const folder = await refusedFolder(t)
  const cases: [words: string[], status: number, message: RegExp][] = [
    [
      ['toilets', '9'],
      1,
      /^error: the journal of toilets has no entry 9: `pds journal toilets` lists them\n$/,
    ],
    [['toilet'], 2, /^error: there is no dataset "toilet": did you mean toilets\?[^\n]*\n$/],
    [['toilets', '0'], 2, /^error: [^\n]*Allowed: the number of an entry, from 1\.\n$/],
  ]
  for (const [words, status, message] of cases) {
    const ended = await pds(folder, ['journal', ...words])
    assert.deepEqual([ended.status, ended.stdout], [status, ''])
    assert.match(ended.stderr, message)
  }
  const empty = await pds(folder, ['journal', 'recycling'])
  assert.deepEqual([empty.status, empty.stdout], [0, ''])
  assert.match(empty.stderr, /^the journal has no entry yet[^\n]*\n$/)
  assert.match(
    (await pds(await emptyFolder(t), ['journal'])).stderr,
    /^error: there is no store in [^\n]*\n$/,
  )
})

for (const workers of ['1', '2'])
  test(`with ${workers} workers the admin port shows the journal to who has the token, and to nobody else`, async t => {
    const folder = await refusedFolder(t)
    const token = join(folder, 'token')
    await writeFile(token, `${TOKEN}\n`)
    await chmod(token, 0o400)
    const ports = { PORT: '0', ADMIN_PORT: String(await freePort()), WORKERS: workers }
    const child = startPds(folder, ['serve'], { ...ports, ADMIN_TOKEN_FILE: token })
    t.after(() => child.kill('SIGKILL'))
    const { adminUrl, url, log } = await watchServing(t, child)
    const get = (path: string, authorization?: string) =>
      fetch(adminUrl + path, { headers: authorization === undefined ? {} : { authorization } })
    const basic = (password: string) => `Basic ${Buffer.from(`operator:${password}`).toString('base64')}`

    const page = await get('/journal/toilets', basic(TOKEN))
    assert.deepEqual([page.status, page.headers.get('cache-control')], [200, 'no-store'])
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/)
    const text = await page.text()
    assert.match(text, /Of 1 row, 1 were accepted and 0 rejected\. It would have changed: \+0 ~\d -7\./)
    assert.match(
      text,
      /<code>pds import toilets &#39;it&#39;\\&#39;&#39;s &lt;few&gt;\.csv&#39; --accept [^<]+<\/code>/,
    )
    assert.match(text, /<li>1, 8 rows, published [^<]+<strong>current<\/strong>/)
    assert.doesNotMatch(text, /<script|<few>/)
    assert.equal((await get('/journal', `Bearer ${TOKEN}`)).status, 200)
    assert.equal((await get('/journal/lost', `Bearer ${TOKEN}`)).status, 404)
    assert.equal((await fetch(`${url}/journal`)).status, 404)

    const asked = await get('/journal')
    assert.match(asked.headers.get('www-authenticate') ?? '', /^Basic realm=/)
    const from = performance.now()
    for (const wrong of [basic('wrong'), `Bearer ${TOKEN}x`, 'Bearer', basic('')])
      assert.equal((await get('/journal/toilets', wrong)).status, 401, wrong)
    // The first wrong one waits for nothing, the next ones for 250, 500 and 1000 ms at least.
    assert.ok(performance.now() - from > 1700)
    assert.equal((await get('/journal', `Bearer ${TOKEN}`)).status, 200)
    assert.equal(log.filter(({ event }) => event === 'admin-token-wrong').length, 1)
    assert.doesNotMatch(JSON.stringify(log), new RegExp(TOKEN))
  })

test('without a token there are no pages, and a token that cannot be used is refused in one line', async t => {
  const folder = await emptyFolder(t)
  const ports = { PORT: '0', ADMIN_PORT: String(await freePort()) }
  const child = startPds(folder, ['serve'], ports)
  t.after(() => child.kill('SIGKILL'))
  const { admin } = await watchServing(t, child)
  assert.equal((await admin('/journal')).status, 404)

  const file = join(folder, 'token')
  await writeFile(file, '')
  const cases: [Record<string, string>, RegExp][] = [
    [
      { ADMIN_TOKEN_FILE: file },
      /^error: ADMIN_TOKEN_FILE: [^\n]*: is empty; it must have the value of ADMIN_TOKEN\n$/,
    ],
    [
      { ADMIN_TOKEN_FILE: '/nowhere' },
      /^error: ADMIN_TOKEN_FILE: \/nowhere: cannot be read \(ENOENT\)[^\n]*\n$/,
    ],
    [{ ADMIN_TOKEN: 'short' }, /^error: ADMIN_TOKEN is "…"; allowed: 16 to 200 visible ASCII characters\n$/],
    [
      { KEEP_RELEASES: '1' },
      /^error: KEEP_RELEASES is "1"; allowed: a number of releases from 2 to 1000, or of days/,
    ],
  ]
  for (const [environment, message] of cases) {
    const ended = await pds(folder, ['serve'], { environment: { ...ports, ...environment } })
    assert.deepEqual([ended.status, ended.stdout], [2, ''])
    assert.match(ended.stderr, message)
  }
  await writeFile(file, TOKEN)
  await chmod(file, 0o644)
  const doctor = await pds(folder, ['doctor'], { environment: { ADMIN_TOKEN_FILE: file } })
  assert.match(doctor.stdout, /ADMIN_TOKEN_FILE +names [^\n]*, which every user of this machine can read/)
  assert.doesNotMatch(doctor.stdout, new RegExp(TOKEN))
})
