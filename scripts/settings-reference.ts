import { SETTINGS } from '../src/config.ts'

const START = '## Variables\n'
const END = '\n## Notes\n'

/** The documentation of the configuration with its variables written anew from the settings. Throws where it has no place for them. */
export function withSettings(page: string): string {
  const start = page.indexOf(START)
  const end = page.indexOf(END)
  if (start < 0 || end < start) throw new Error(`no ${START.trim()} before ${END.trim()}`)
  return page.slice(0, start) + START + Object.entries(SETTINGS).map(sectionOf).join('') + page.slice(end)
}

function sectionOf([name, { default: value, meaning, type }]: [
  string,
  (typeof SETTINGS)[keyof typeof SETTINGS],
]): string {
  const shown = String(value ?? '')
  const allowed = type.allowed.replaceAll(/https?:\/\/\w\S*/g, '`$&`')
  return `
### ${name}

${meaning}
**Default:** ${shown === '' ? 'none' : `\`${shown}\``}. **Allowed:** ${allowed}.
`
}
