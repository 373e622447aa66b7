import { execFile } from 'node:child_process'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

const route = (action: 'add' | 'del', address: string) =>
  run('ip', ['route', action, 'blackhole', address, 'table', 'local'])

/** Why no packet can be lost; false where they can. */
export async function noLostPackets(address: string): Promise<string | false> {
  try {
    await route('add', address)
    await route('del', address)
    return false
  } catch {
    return 'no packet can be lost here: it takes Linux, root and the program ip (iproute2)'
  }
}

/** From now on loses every packet to an address of this machine, as where a phone is switched off; until the test ends. */
export async function losePacketsTo(t: TestContext, address: string): Promise<void> {
  await route('add', address)
  t.after(() => route('del', address))
}
