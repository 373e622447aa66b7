/** A use of a file that Node's permission model can deny. */
export type FileUse = 'read' | 'write'

const VERBS: Readonly<Record<FileUse, string>> = { read: 'read', write: 'written' }

/** Why Node's permission model denies this use of a path, and the flag that allows it; undefined if the use is allowed. */
export function deniedByNode(use: FileUse, path: string): string | undefined {
  // Absent unless a flag has switched the permission model on.
  const { permission }: { permission?: { has(scope: string, reference: string): boolean } } = process
  if (permission === undefined || permission.has(`fs.${use}`, path)) return undefined
  return `may not be ${VERBS[use]} under Node's permission model: start Node with --allow-fs-${use}=${path}`
}

const FLAGS: Readonly<Record<string, string>> = {
  FileSystemRead: '--allow-fs-read',
  FileSystemWrite: '--allow-fs-write',
  WorkerThreads: '--allow-worker',
  ChildProcess: '--allow-child-process',
  Net: '--allow-net',
}

interface DenialError extends Error {
  readonly code?: string
  readonly permission?: string
  readonly resource?: string
}

/** Explains an error of Node's permission model and names the flag to set; undefined for other errors. */
export function explainDenial(error: Error): string | undefined {
  const { code, permission = '', resource = '' }: DenialError = error
  if (code === 'ERR_DLOPEN_DISABLED')
    return "Node's permission model does not load the driver of SQLite: start Node with --allow-addons, or use Node 24"
  if (code !== 'ERR_ACCESS_DENIED') return undefined
  const flag = FLAGS[permission] ?? permission
  const path = resource !== '' && flag.startsWith('--allow-fs') ? `=${resource}` : ''
  return `Node's permission model denies it: start Node with ${flag}${path}`
}
