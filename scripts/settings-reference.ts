import { SETTINGS } from '../src/config.ts'

const NOTES = '\n## Notes\n'

/** The page about the configuration with a section for each setting, before the notes. Throws if the page has no notes. */
export function withSettings(page: string): string {
  const notes = page.indexOf(NOTES)
  if (notes < 0) throw new Error('no notes')
  const [introduction = ''] = page.split(/^(?=## )/m)
  const sections = Object.entries(SETTINGS).map(([name, setting]) => sectionOf(name, setting))
  return `${introduction.trimEnd()}\n${sections.join('')}${page.slice(notes)}`
}

type Setting = (typeof SETTINGS)[keyof typeof SETTINGS]

function sectionOf(name: string, { default: value, meaning, type }: Setting): string {
  const shown = String(value ?? '')
  const allowed = type.allowed.replaceAll(/https?:\/\/\w\S*/g, '`$&`')
  return `
## ${name}

${meaning}
**Default:** ${shown === '' ? 'none' : `\`${shown}\``}. **Allowed:** ${allowed}.
`
}
