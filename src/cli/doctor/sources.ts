import { type Config, ConfigError } from '../../config.ts'
import { type ConfiguredSource, readSources } from '../../publishing/sources-file.ts'
import { FetchError } from '../../sources/fetch/fetch-error.ts'
import { openSourceAddress } from '../../sources/fetch/source-address.ts'
import { counted } from '../../values/numbers.ts'
import { type Check, fail, ok } from './check.ts'

const SUBJECT = 'sources'
/** A source may be large; the doctor reads its first bytes. */
const TIMEOUT_MS = 10_000

/** Checks the file that SOURCES names, and requests each source as the service would. */
export async function checkSources(config: Config): Promise<Check[]> {
  try {
    const sources = readSources(config)
    if (sources.length === 0) return [ok(SUBJECT, 'none is followed')]
    return await Promise.all(sources.map(checkSource))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [fail(SUBJECT, error.message, 'correct the file, or unset SOURCES')]
  }
}

async function checkSource({ dataset, address, entry }: ConfiguredSource): Promise<Check> {
  const { url, maxBytes, allowPrivate } = entry
  const subject = `source of ${dataset}`
  try {
    const opened = await openSourceAddress(url, { maxBytes, allowPrivate, timeoutMs: TIMEOUT_MS })
    try {
      let bytes = 0
      for await (const chunk of opened.chunks ?? []) {
        bytes = chunk.length
        break
      }
      const size = opened.headers['content-length']
      const found = size === undefined ? 'it answers' : `it answers, ${counted(Number(size), 'byte')}`
      if (bytes > 0) return ok(subject, `${address}: ${found}`)
      return fail(subject, `${address}: the response is empty`, 'check its url in the file of SOURCES')
    } finally {
      await opened.close()
    }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    const advice = 'check its url in the file of SOURCES, and that this machine may reach it'
    return fail(subject, `${address}: ${error.message}`, advice)
  }
}
