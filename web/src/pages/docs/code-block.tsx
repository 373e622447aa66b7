/** Code that scrolls sideways if it is too wide, by keyboard too. */
export function CodeBlock({ code, class: name }: { readonly code: string; readonly class?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard (WCAG 2.1.1)
    <pre tabIndex={0} class={name}>
      <code>{code}</code>
    </pre>
  )
}
