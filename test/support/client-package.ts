import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { emptyFolder } from './folder.ts'
import { ROOT } from './tracked-files.ts'

const run = promisify(execFile)

/** The packages that the client is installed with. */
const DEPENDENCIES = ['openapi-fetch', 'openapi-typescript-helpers']

/** Packs the client as its users get it and installs it, and its examples, in a folder that goes with the test. */
export async function installClient(t: TestContext) {
  const folder = await emptyFolder(t)
  const source = join(folder, 'source')
  await mkdir(source)
  for (const name of [
    'client',
    'scripts',
    'tsconfig.json',
    'package-lock.json',
    'LICENSE',
    'NOTICE',
    '.npmrc',
  ])
    await cp(join(ROOT, name), join(source, name), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(source, 'node_modules'))
  const { stdout } = await run('npm', ['run', '--silent', 'package'], { cwd: join(source, 'client') })
  const tarball = join(source, 'client', stdout.trim())
  const installed = join(folder, 'node_modules', 'public-data-client')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed])
  for (const name of DEPENDENCIES)
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  await cp(join(ROOT, 'client', 'examples'), join(folder, 'examples'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  return { folder, installed, tarball }
}
