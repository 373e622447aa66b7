import { readFileSync } from 'node:fs'
import { pin } from '../servers/machine.ts'
import { cpuSeconds } from '../servers/process.ts'

/** Seconds of processor time that a server's processes have used, of those that run now. */
export function serverSeconds(parent: number): number {
  return [parent, ...childrenOf(parent)].reduce((sum, pid) => sum + cpuSeconds(pid), 0)
}

/** Keeps a server on some cores, with the processes that it has and will have. */
export function pinServer(parent: number, cores: string): void {
  for (const pid of [parent, ...childrenOf(parent)]) pin(pid, cores)
}

const childrenOf = (parent: number): number[] =>
  readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').map(Number)
