/** Text that is safe in HTML. Only {@link html} makes it. */
export interface Html {
  readonly safe: string
}

/** Escapes every value except {@link Html}. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  const written = values.map((value, index) => `${writeValue(value)}${parts[index + 1] ?? ''}`)
  return { safe: `${parts[0] ?? ''}${written.join('')}` }
}

function writeValue(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return escaped(value)
  return 'safe' in value ? value.safe : value.map(part => part.safe).join('')
}

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
