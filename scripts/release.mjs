import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

/*
 * Makes the files of a release in `release/`: an archive and a bill of materials of each package, and their checksums. The first run
 * of a version only moves what is unreleased in the changelog: docs/how-to/make-a-release.md.
 */

const PACKAGES = ['.', 'client', 'mcp']
const CHANGELOG = 'CHANGELOG.md'
const UNRELEASED = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m
const FOLDER = resolve('release')

function end(text, status) {
  console.error(text)
  process.exit(status)
}

const manifestOf = folder => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
const run = (program, ...words) => execFileSync(program, words, { encoding: 'utf8', maxBuffer: 2 ** 26 })

const { version } = manifestOf('.')
for (const folder of [...PACKAGES, 'web', 'demo'])
  if (manifestOf(folder).version !== version)
    end(`${folder}/package.json has version ${manifestOf(folder).version}, package.json ${version}`, 1)
if (run('git', 'status', '--porcelain') !== '') end('the working tree has changes: commit them first', 1)

const changelog = readFileSync(CHANGELOG, 'utf8')
const unreleased = UNRELEASED.exec(changelog)?.[1]?.trim()
const isReleased = changelog.includes(`\n## ${version} - `)
if (unreleased === undefined) end(`${CHANGELOG} has no section "## Unreleased"`, 1)
if (unreleased !== '' && isReleased)
  end(`${CHANGELOG} has ${version} already, and changes that are unreleased: raise the version`, 1)
if (unreleased === '' && !isReleased) end(`${CHANGELOG} has no changes for ${version}`, 1)
if (!isReleased) {
  const heading = `## Unreleased\n\n## ${version} - ${new Date().toISOString().slice(0, 10)}\n`
  writeFileSync(
    CHANGELOG,
    changelog.replace('## Unreleased\n', () => heading),
  )
  end(`${CHANGELOG}: what was unreleased is ${version} now. Commit it and run this again.`, 0)
}

rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER)
for (const folder of PACKAGES) {
  const { name } = manifestOf(folder)
  run('npm', 'run', '--silent', '--prefix', folder, 'package', '--', '--pack-destination', FOLDER)
  writeFileSync(`${FOLDER}/${name}-${version}.cdx.json`, run('node', 'deploy/sbom.mjs', folder))
}
const sums = readdirSync(FOLDER).map(
  file =>
    `${createHash('sha256')
      .update(readFileSync(`${FOLDER}/${file}`))
      .digest('hex')}  ${file}\n`,
)
writeFileSync(`${FOLDER}/SHA256SUMS`, sums.join(''))
console.log(`${FOLDER}: ${sums.length} files and SHA256SUMS`)
