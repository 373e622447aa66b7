import { grouped } from '../../words/numbers.ts'
import { timeInWords } from '../../words/relative-time.ts'
import type { DatasetPage } from './load.ts'

interface ReleasesProps {
  readonly releases: NonNullable<DatasetPage['releases']>
  readonly dataset: DatasetPage['dataset']
}

/** The releases that are kept, newest first, and what changed between them. */
export function Releases({ releases, dataset }: ReleasesProps) {
  return (
    <>
      <h2>Releases</h2>
      <div class="scrolling">
        <table>
          <thead>
            <tr>
              <th scope="col">Release</th>
              <th scope="col">Published</th>
              <th scope="col">Records</th>
              <th scope="col">Changes</th>
            </tr>
          </thead>
          <tbody>
            {releases.map(({ release, publishedAt, rows, changes }) => (
              <tr key={release}>
                <th scope="row">
                  {release}
                  {release === dataset.release && <span class="muted"> current</span>}
                </th>
                <td>{timeInWords(publishedAt)}</td>
                <td>{grouped(rows)}</td>
                <td>
                  {grouped(changes.added)} added, {grouped(changes.changed)} changed,{' '}
                  {grouped(changes.removed)} removed
                  {release !== dataset.release && (
                    <>
                      {' '}
                      · <a href={`${dataset.path}/changes?since=${release}`}>What changed since</a>
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
