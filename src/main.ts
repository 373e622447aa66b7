import { runPds } from './cli/program.ts'

process.exitCode = await runPds(process.argv.slice(2), process.env)
// A server that could not listen leaves timers behind; what was printed is written first.
if (process.exitCode !== 0) process.stdout.write('', () => process.exit())
