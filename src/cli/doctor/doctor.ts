import type { AddCommand } from '../cli.ts'
import { print, printJson } from '../output/print.ts'
import { checksText } from './check.ts'
import { checkConfiguration } from './configuration.ts'
import { checkFeed } from './feed.ts'
import { checkPorts, checkRuntime } from './machine.ts'
import { checkMetadata } from './metadata.ts'
import { checkRedis } from './redis.ts'
import { checkSources } from './sources.ts'
import { checkReader, checkStore } from './store.ts'

/** `pds doctor`: reports what is wrong and what to do, and changes nothing. */
export const addDoctor: AddCommand = (program, cli) => {
  program
    .command('doctor')
    .description(
      'check configuration, store, Redis, feed, sources and ports; say what is wrong and what to do',
    )
    .option('--json', 'print the checks as JSON')
    .action(async ({ json }: { json?: true }) => {
      const { checks: variables, config } = checkConfiguration(cli.environment)
      const { checks: file, metadata } = checkMetadata(config)
      const checks = [
        ...checkRuntime(),
        ...variables,
        ...file,
        ...(await checkStore(config, metadata)),
        ...(await checkReader(config)),
        ...(await checkRedis(config)),
        ...(await checkFeed(config)),
        ...(await checkSources(config)),
        ...(await checkPorts(config)),
      ]
      const sound = checks.every(check => check.status !== 'fail')
      if (json) printJson({ ok: sound, checks })
      else print(...checksText(checks))
      cli.exitWith(sound ? 0 : 1)
    })
}
