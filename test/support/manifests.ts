import { join } from 'node:path'
import ts from 'typescript'
import { parseAllDocuments } from 'yaml'
import { ROOT } from './tracked-files.ts'

/** An object of Kubernetes. */
interface Manifest {
  readonly apiVersion: string
  readonly kind: string
}

/** The objects of a file of Kubernetes, with aliases resolved. */
export const manifestsOf = (text: string): Manifest[] =>
  parseAllDocuments(text, { merge: true }).map(document => document.toJS())

/**
 * Checks objects against the types of kubernetes-types, which are made from the published schemas of the API. The faults are
 * unknown fields, missing fields and values of another type. The compiler checks each object as a literal.
 */
export function manifestFaults(manifests: readonly Manifest[]): string[] {
  const lines = manifests.map((manifest, index) => {
    const [group = '', version = group] = manifest.apiVersion.split('/')
    const module = `kubernetes-types/${version === group ? 'core' : group.replace(/\..*/, '')}/${version}`
    return `export const _${index}: import('${module}').${manifest.kind} = ${JSON.stringify(manifest)}`
  })
  const path = join(ROOT, 'test', 'manifests-under-test.ts')
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = name => name === path || fileExists(name)
  host.getSourceFile = (name, ...rest) =>
    name === path
      ? ts.createSourceFile(name, lines.join('\n'), ts.ScriptTarget.ESNext)
      : getSourceFile(name, ...rest)
  return ts
    .getPreEmitDiagnostics(ts.createProgram([path], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '; '))
}
