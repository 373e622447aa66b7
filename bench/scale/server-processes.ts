import { readFileSync } from 'node:fs'
import { pin } from '../servers/machine.ts'
import { cpuSeconds } from '../servers/process.ts'

/** Seconds of processor time that the running processes of a server have used. */
export function serverSeconds(parent: number): number {
  return [parent, ...childrenOf(parent)].reduce((sum, pid) => sum + cpuSeconds(pid), 0)
}

/** Keeps a server on some cores, with its present and future processes. */
export function pinServer(parent: number, cores: string): void {
  for (const pid of [parent, ...childrenOf(parent)]) pin(pid, cores)
}

const childrenOf = (parent: number): number[] =>
  readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').map(Number)
