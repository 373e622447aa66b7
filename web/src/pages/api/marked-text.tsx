/** A description with its `code` and **strong** words. Everything else is text, and a backslash protects a sign. */
export function MarkedText({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
        if (part.startsWith('`') && part.length > 2) return <code key={index}>{part.slice(1, -1)}</code>
        if (part.startsWith('**') && part.length > 4) return <strong key={index}>{part.slice(2, -2)}</strong>
        return part.replaceAll(/\\([^\w\s])/g, '$1')
      })}
    </>
  )
}

/** A longer description: paragraphs and lists. */
export function MarkedBlocks({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/\n\n+/).map(block =>
        block.startsWith('- ') ? (
          <ul key={block}>
            {block.split(/\n(?=- )/).map(item => (
              <li key={item}>
                <MarkedText text={item.slice(2)} />
              </li>
            ))}
          </ul>
        ) : (
          <p key={block}>
            <MarkedText text={block} />
          </p>
        ),
      )}
    </>
  )
}
