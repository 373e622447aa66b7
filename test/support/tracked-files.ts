import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The files of the repository that git tracks, as they are in the working folder. */
export const trackedFiles = (): string[] =>
  execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter(file => file !== '' && existsSync(join(ROOT, file)))

/** Copies them to a folder, which need not exist. */
export async function copyTrackedFiles(folder: string): Promise<void> {
  for (const file of trackedFiles()) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await copyFile(join(ROOT, file), join(folder, file))
  }
}
