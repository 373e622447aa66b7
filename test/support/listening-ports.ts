import { readFile } from 'node:fs/promises'

/** The TCP ports on which a process listens, by the files that it holds open (Linux, IPv4). */
export async function listeningPorts(openFiles: readonly string[]): Promise<number[]> {
  const LISTENS = '0A'
  const [, ...lines] = (await readFile('/proc/net/tcp', 'utf8')).trim().split('\n')
  return lines
    .map(line => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === LISTENS && openFiles.includes(`socket:[${inode}]`))
    .map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16))
}
