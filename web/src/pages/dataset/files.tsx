import { CopyButton } from '../../parts/copy-button.tsx'
import { sizeOf } from '../../words/numbers.ts'
import { FORMAT_NAMES } from '../catalogue/dataset-facts.tsx'
import type { DatasetPage } from './load.ts'

/** The current release as files, each with its size and hash. */
export function Files({ files }: { readonly files: NonNullable<DatasetPage['files']> }) {
  return (
    <>
      <h2>Download</h2>
      <p>Every record with every field. A download that broke off can be resumed.</p>
      <ul class="files">
        {files.map(({ format, path, bytes, sha256 }) => (
          <li key={format}>
            {bytes === null ? (
              <>{FORMAT_NAMES[format] ?? format}: being made, ready in a moment</>
            ) : (
              <>
                <a class="button" href={path} download>
                  {FORMAT_NAMES[format] ?? format}, {sizeOf(bytes)}
                </a>
                {sha256 !== null && (
                  <span class="hash">
                    <span class="muted">SHA-256</span> <code>{sha256}</code>{' '}
                    <CopyButton
                      text={sha256}
                      what={`the hash of the ${FORMAT_NAMES[format] ?? format} file`}
                    />
                  </span>
                )}
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
