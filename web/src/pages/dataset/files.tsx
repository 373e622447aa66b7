import { CopyButton } from '../../parts/copy-button.tsx'
import { data } from '../../texts/en/data.ts'
import { text } from '../../texts/text.ts'
import { monthOf } from '../../words/island-time.ts'
import { sizeOf } from '../../words/numbers.ts'
import { formatName } from '../catalogue/dataset-facts.tsx'
import type { DatasetPage } from './load.ts'

/** The current release as files, each with its size and hash. */
export function Files({ files }: { readonly files: NonNullable<DatasetPage['files']> }) {
  return (
    <>
      <h2>{data.download}</h2>
      <p>{data.downloadDetail}</p>
      <ul class="files">
        {files.map(({ format, path, bytes, sha256 }) => (
          <li key={format}>
            <a class="button" href={path} download>
              {bytes === null
                ? formatName(format)
                : text(data.file, { format: formatName(format), size: sizeOf(bytes) })}
            </a>
            {sha256 !== null && (
              <span class="hash">
                <span class="muted">SHA-256</span> <code>{sha256}</code>{' '}
                <CopyButton text={sha256} what={text(data.hashOf, { format: formatName(format) })} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Each month of parking history as files, newest first. */
export function History({ months }: { readonly months: NonNullable<DatasetPage['history']> }) {
  return (
    <details>
      <summary>{data.history}</summary>
      <p>{data.historyDetail}</p>
      <ul>
        {months.toReversed().map(({ month, format, path }) => (
          <li key={path}>
            <a href={path} download>
              {monthOf(`${month}-15T12:00:00Z`)}, {formatName(format)}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
