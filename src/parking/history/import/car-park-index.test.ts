import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listed, readText } from '../../../../test/support/history-text.ts'

const carParks = [
  { code: 'GREENST', names: ['Green Street MS'] },
  { code: 'SANDST', names: ['Sand Street', 'Sand Street MS'] },
  { code: 'PIERRD', names: ['Pier Road MS'] },
]
const AT = '2025-07-01T10:00:00Z'

/** The codes that a file with these columns gives. */
async function codes(columns: readonly string[], map: Readonly<Record<string, string>> = {}) {
  const text = `at,${columns.join(',')}\n${AT},${columns.map((_, index) => index).join(',')}\n`
  const history = await readText(text, { carParks, map: new Map(Object.entries(map)) })
  return listed(history).map(line => line.replace(`${AT} `, ''))
}

test('a column is found by code or name, whatever its case, blanks and punctuation', async () => {
  assert.deepEqual(await codes(['green_street ms', 'sandst', 'PIER ROAD MS.']), [
    'GREENST 0',
    'SANDST 1',
    'PIERRD 2',
  ])
})

test('a unique prefix of a name is enough', async () => {
  assert.deepEqual(await codes(['Green Street', 'Pier']), ['GREENST 0', 'PIERRD 1'])
  await assert.rejects(codes(['Pier Road MS level 1']), /is not a known car park/)
  await assert.rejects(codes(['Gre']), /"Gre" is not a known car park/)
  const twins = [
    { code: 'A', names: ['Pier Road North'] },
    { code: 'B', names: ['Pier Road South'] },
  ]
  await assert.rejects(readText(`at,Pier Road\n${AT},1\n`, { carParks: twins }), /is not a known car park/)
})

test('an unknown column is refused with the known ones, and the option to add with the code that is nearest', async () => {
  await assert.rejects(
    codes(['Sand Sreet']),
    /^Refusal: "Sand Sreet" is not a known car park \(GREENST Green Street MS, SANDST Sand Street, PIERRD Pier Road MS\): give each its code with --map "Sand Sreet=SANDST", or leave it out with --map "Sand Sreet=-"$/,
  )
  await assert.rejects(codes(['GREENSTREET']), /--map "GREENSTREET=GREENST"/)
  await assert.rejects(codes(['Les Jardin']), /--map "Les Jardin=LESJARDIN"/)
  await assert.rejects(
    codes(['Les Jardin', 'Pier', 'Sand Sreet']),
    /^Refusal: "Les Jardin", "Sand Sreet" are not known car parks .* --map "Les Jardin=LESJARDIN" --map "Sand Sreet=SANDST", or/,
  )
})

test('a code near to a known one is kept with a warning that names it', async () => {
  const rows = `code,spaces,at\nGREENSTREET,1,${AT}\n`
  const { statistics } = await readText(rows, { carParks })
  assert.deepEqual(
    statistics.warnings.first.map(({ value, reason }) => [value, reason]),
    [['GREENSTREET', 'is not the code of a known car park; GREENST may be meant']],
  )
})

test('where no car park is known, a file that names them says to publish some; one with codes does not need them', async () => {
  const text = `at,Green Street\n${AT},1\n`
  await assert.rejects(
    readText(text, { carParks: [] }),
    /^Refusal: "Green Street" is not a known car park, .*: import car parks with codes first: pds import carparks <file>$/,
  )
  assert.deepEqual(listed(await readText(text, { carParks: [], map: new Map([['Green Street', 'GS']]) })), [
    `${AT} GS 1`,
  ])
})

test('--map gives a column a code, leaves it out, or makes it one of the usual columns', async () => {
  assert.deepEqual(
    await codes(['Les Jardin', 'weather', 'Pier'], { 'les jardin': 'LESJARDIN', weather: '-' }),
    ['PIERRD 2', 'LESJARDIN 0'].reverse(),
  )
  const map = new Map([['Zeit', 'date']])
  assert.deepEqual(listed(await readText(`Zeit,Pier\n${AT},4\n`, { carParks, map })), [`${AT} PIERRD 4`])
  const one = new Map([['spaces', 'PIERRD']])
  const history = await readText(`at,spaces,open,status\n${AT},4,True,good\n`, { carParks, map: one })
  assert.deepEqual(
    [...history.readings],
    [{ at: Date.parse(AT), code: 'PIERRD', name: 'Pier Road MS', spaces: 4, open: true, status: 'good' }],
  )
})

test('a mapped column must be there; two columns of one car park, or a code that cannot be one, are refused', async () => {
  await assert.rejects(
    codes(['Pier'], { Wharf: 'PIERRD' }),
    /--map names "Wharf", which the file does not have/,
  )
  await assert.rejects(codes(['Pier', 'PIERRD']), /"Pier" and "PIERRD" are both the car park PIERRD/)
  await assert.rejects(
    codes(['X'], { X: 'C'.repeat(65) }),
    /"X" cannot be a car park: code has 65 characters/,
  )
})

test('a car park keeps its first known name; one that is not known has that of the file, and a warning', async () => {
  const rows = `code,name,spaces,at\nsandst,Sand,1,${AT}\nTEST,Test park,2,${AT}\n,x,3,${AT}\n`
  const { readings, statistics } = await readText(rows, { carParks })
  assert.deepEqual(
    [...readings].map(({ code, name }) => [code, name]),
    [
      ['SANDST', 'Sand Street'],
      ['TEST', 'Test park'],
    ],
  )
  assert.deepEqual(
    statistics.warnings.first.map(({ value, reason }) => [value, reason]),
    [['TEST', 'is not the code of a known car park']],
  )
  assert.equal(statistics.rejected, 1)
})

test('rows may have names instead of codes, and leave some out', async () => {
  const rows = `car park,free,at\nGreen Street,1,${AT}\nTest,2,${AT}\n,3,${AT}\n`
  const history = await readText(rows, { carParks, map: new Map([['Test', '-']]) })
  assert.deepEqual(listed(history), [`${AT} GREENST 1`])
  assert.deepEqual([history.statistics.read, history.statistics.rejected], [2, 1])
  await assert.rejects(readText(rows, { carParks }), /"Test" is not a known car park/)
})
