import type { DefineCommand } from '../cli.ts'
import { printReport } from '../output/print.ts'
import { checksText } from './check.ts'
import { checkConfiguration, checkMap, checkMetadata } from './configuration.ts'
import { checkFeed, checkRedis, checkSources } from './connections.ts'
import { checkPorts, checkRuntime } from './machine.ts'
import { checkReader, checkStore } from './store.ts'

/** `pds doctor`: reports what is wrong and what to do, and changes nothing. */
export const defineCommand: DefineCommand = (command, cli) => {
  command
    .description(
      'check configuration, store, Redis, feed, sources and ports; say what is wrong and what to do',
    )
    .option('--json', 'print the checks as JSON')
    .action(async ({ json }: { json?: true }) => {
      const { checks: variables, config } = checkConfiguration(cli.environment)
      const { checks: file, metadata } = checkMetadata(config)
      const checks = [
        checkRuntime(),
        variables,
        file,
        checkMap(config),
        await checkStore(config, metadata),
        await checkReader(config),
        await checkRedis(config),
        await checkFeed(config),
        await checkSources(config),
        await checkPorts(config),
      ].flat()
      const sound = checks.every(check => check.status !== 'fail')
      printReport({ ok: sound, checks }, json, () => checksText(checks))
      if (!sound) cli.exitWith(1)
    })
}
