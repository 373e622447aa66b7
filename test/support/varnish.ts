import type { TestContext } from 'node:test'
import { emptyFolder } from './folder.ts'
import { freePort } from './free-port.ts'
import { startHttpProgram } from './http-program.ts'
import { installedProgram } from './programs.ts'

const BINARY = installedProgram('varnishd')

/** Why tests that need Varnish are skipped; false where they need not be. */
export const NO_VARNISH: string | false = BINARY === undefined && 'no Varnish here: `apt-get install varnish`'

/** Starts Varnish as it comes, with these parameters alone, in front of an instance; gives its address. It ends with the test. */
export async function startVarnish(
  t: TestContext,
  instance: string,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = await emptyFolder(t)
  const port = await freePort()
  const words = [BINARY ?? '', '-F', '-n', folder, '-j', 'none', '-s', 'malloc,32m']
  for (const [name, value] of Object.entries(parameters)) words.push('-p', `${name}=${value}`)
  const addresses = ['-a', `127.0.0.1:${port}`, '-b', new URL(instance).host]
  const url = `http://127.0.0.1:${port}`
  await startHttpProgram(t, [...words, ...addresses], `${url}/v1/nothing`)
  return url
}
