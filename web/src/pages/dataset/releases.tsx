import { data } from '../../texts/en/data.ts'
import { text } from '../../texts/text.ts'
import { grouped } from '../../words/numbers.ts'
import { timeInWords } from '../../words/relative-time.ts'
import type { DatasetPage } from './load.ts'

interface ReleasesProps {
  readonly releases: NonNullable<DatasetPage['releases']>
  readonly dataset: DatasetPage['dataset']
}

/** The kept releases, newest first, with their changes. */
export function Releases({ releases, dataset }: ReleasesProps) {
  return (
    <>
      <h2>{data.releases}</h2>
      <div class="scrolling">
        <table>
          <thead>
            <tr>
              {Object.values(data.columns).map(column => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {releases.map(({ release, publishedAt, rows, changes }) => (
              <tr key={release}>
                <th scope="row">
                  {release}
                  {release === dataset.release && <span class="muted">{data.current}</span>}
                </th>
                <td>{timeInWords(publishedAt)}</td>
                <td>{grouped(rows)}</td>
                <td>
                  {text(data.changes, {
                    added: grouped(changes.added),
                    changed: grouped(changes.changed),
                    removed: grouped(changes.removed),
                  })}
                  {release !== dataset.release && (
                    <>
                      {' '}
                      · <a href={`${dataset.path}/changes?since=${release}`}>{data.changesSince}</a>
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
