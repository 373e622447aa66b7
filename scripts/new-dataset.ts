import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { constantOf, datasetSkeleton, LISTS } from './dataset-skeleton.ts'

/* `npm run new:dataset bus-stops`: writes the skeleton of a dataset into the repository in the working directory. */

const INTERFACE = 'client/src/schema.ts'
const read = (path: string) => readFileSync(path, 'utf8')

/** Why these words cannot name a new dataset; undefined if they can. */
function refusalOf([name, ...others]: readonly string[]): string | undefined {
  if (name === undefined || others.length > 0)
    return 'give one name, in kebab-case: npm run new:dataset bus-stops'
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    return `"${name}" is not in kebab-case: small letters and digits, in words joined by hyphens, as bus-stops`
  if (existsSync(`src/datasets/${name}`)) return `"${name}" is taken: src/datasets/${name} exists`
  if (new RegExp(`"/v1/${name}["/]`).test(read(INTERFACE)))
    return `"${name}" is taken: /v1/${name} is an endpoint`
  const inUse = Object.values(LISTS).find(path => new RegExp(`\\b${constantOf(name)}\\b`).test(read(path)))
  return inUse && `"${name}" is taken: ${inUse} uses the name ${constantOf(name)}`
}

const words = process.argv.slice(2)
const refusal = refusalOf(words)
if (refusal !== undefined) {
  console.error(`new:dataset: ${refusal}`)
  process.exitCode = 1
} else {
  const [name = ''] = words
  const files = datasetSkeleton(name, read)
  for (const [path, content] of files) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  console.log(`Written:\n${[...files.keys()].map(path => `  ${path}`).join('\n')}`)
  console.log(
    `Next: give src/datasets/${name}/schema.ts its fields. \`npm test -- test/additions\` says what is missing.`,
  )
}
