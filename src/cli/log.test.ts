import assert from 'node:assert/strict'
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { test } from 'node:test'

const LOG = new URL('./log.ts', import.meta.url).href
const TYPESCRIPT = import.meta.resolve('../../test/support/typescript.mjs')

/** Runs a script in a process of its own, with a log of this level. */
function run(level: string, script: string, options: SpawnSyncOptions = {}) {
  const logging = `import { createLog } from '${LOG}'
    const { log, linesDropped } = await createLog({ LOG_LEVEL: '${level}', LOG_FORMAT: 'numbers' })
    ${script}`
  const words = ['--import', TYPESCRIPT, '--input-type=module', '--eval', logging]
  return spawnSync(process.execPath, words, { ...options, encoding: 'utf8' })
}

/** The output of a process that logs this request. */
function logged(level: string, request: object): string {
  const { status, stdout, stderr } = run(level, `log.info({ req: ${JSON.stringify(request)} }, 'request')`)
  assert.equal(status, 0, stderr)
  return stdout
}

test('a log that is not a terminal is a line of JSON per event, without the client address', () => {
  const url = `/v1/toilets?x=${'y'.repeat(8000)}\r\n\u001b[2J`
  const lines = logged('info', { method: 'GET', url, remoteAddress: '203.0.113.7', ip: '203.0.113.7' })
  assert.equal(lines.split('\n').length, 2)
  assert.deepEqual(JSON.parse(lines).req, { method: 'GET', url: url.slice(0, 500) })
  assert.doesNotMatch(lines, /203\.0\.113\.7/)
})

test('the lines of one turn of the event loop are one write, and a warning waits for nothing', () => {
  const script = `
    import fs from 'node:fs'
    const { writeSync } = fs
    const written = []
    fs.writeSync = (fd, text, ...rest) => {
      written.push(String(text).split('\\n').length - 1)
      return writeSync(fd, text, ...rest)
    }
    for (let line = 0; line < 20; line++) log.info('first turn')
    const atOnce = written.length
    setImmediate(() => {
      log.info('second turn')
      log.warn('warning')
      console.error(JSON.stringify({ atOnce, written }))
      log.info('last')
      process.exit()
    })`
  const { stdout, stderr } = run('info', script)
  assert.deepEqual(JSON.parse(stderr), { atOnce: 0, written: [20, 2] })
  assert.deepEqual(stdout.match(/first turn|second turn|warning|last/g)?.slice(20), [
    'second turn',
    'warning',
    'last',
  ])
})

const noFull = process.platform !== 'linux' && 'a disk that is always full is /dev/full (Linux)'

test('a fatal error on a full disk does not hold up the process', { skip: noFull }, () => {
  const full = openSync('/dev/full', 'w')
  const script = `
    process.stdout.write('printed')
    for (let line = 0; line < 2000; line++) log.info('x'.repeat(500))
    log.fatal('fatal')
    setImmediate(() => console.error(linesDropped() > 100 && 'went on'))`
  const { status, stderr } = run('info', script, { timeout: 60_000, stdio: ['ignore', full, 'pipe'] })
  closeSync(full)
  assert.deepEqual({ status, stderr }, { status: 0, stderr: 'went on\n' })
})

test('messages below the level are not written', () => {
  assert.equal(logged('warn', { method: 'GET', url: '/' }), '')
})
