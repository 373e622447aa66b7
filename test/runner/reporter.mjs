import { inspect } from 'node:util'

/** Sends what node:test reports to the parent of this process: see `Result` in pool.ts. */
export default async function* report(events) {
  for await (const { type, data } of events) {
    const { name, nesting, details, message } = data
    if (type === 'test:diagnostic') process.send({ kind: 'note', message, nesting })
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { error } = details
    process.send({
      kind: details.type === 'suite' ? 'suite' : 'test',
      name,
      nesting,
      ms: details.duration_ms,
      skip: data.skip === undefined || data.skip === false ? undefined : String(data.skip),
      // A parent fails with its subtests, which say why.
      failure: error && (error.failureType === 'subtestsFailed' ? '' : inspect(error.cause ?? error)),
    })
  }
  yield ''
}
