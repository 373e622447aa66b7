import { SETTINGS } from '../src/config.ts'

const START = '| variable | meaning | default | allowed |\n|---|---|---|---|\n'

/** The documentation of the configuration with its table made anew from the settings. Throws where it has no such table. */
export function withSettingsTable(page: string): string {
  const start = page.indexOf(START)
  const end = page.indexOf('\n\n', start)
  if (start < 0 || end < 0) throw new Error('no table of variables')
  const rows = Object.entries(SETTINGS).map(([name, { default: value, meaning, type }]) => {
    const allowed = type.allowed.replaceAll(/https?:\/\/\w\S*/g, '`$&`')
    return `| \`${name}\` | ${meaning} | ${String(value ?? '') || 'none'} | ${allowed} |`
  })
  return page.slice(0, start) + START + rows.join('\n') + page.slice(end)
}
