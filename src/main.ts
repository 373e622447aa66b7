import { runPds } from './cli/program.ts'

process.exitCode = await runPds(process.argv.slice(2), process.env)
// A server that could not listen leaves timers behind, so the process must exit, but only after its output is written.
if (process.exitCode !== 0) process.stdout.write('', () => process.exit())
