import { CodeBlock } from '../../docs/code-block.tsx'
import { examplesOf } from './request.ts'

/** A request for a terminal and for programs. */
export function RequestExamples({ url }: { readonly url: string }) {
  return (
    <>
      {examplesOf(url).map(({ language, code }, index) => (
        <details key={language} open={index === 0}>
          <summary>{language}</summary>
          <CodeBlock code={code} />
        </details>
      ))}
    </>
  )
}
