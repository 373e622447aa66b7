import { CodeBlock } from '../../docs/code-block.tsx'

const EXAMPLES = {
  curl: (url: string) => `curl '${url.replaceAll("'", '%27')}'`,
  TypeScript: (url: string) => `const response = await fetch(${JSON.stringify(url)})
if (!response.ok) throw new Error((await response.json()).detail)
const data = await response.json()`,
  Python: (url: string) => `import json, urllib.request
with urllib.request.urlopen(${JSON.stringify(url)}) as response:
    data = json.load(response)`,
}

/** A request for a terminal and for programs. */
export const RequestExamples = ({ url }: { readonly url: string }) =>
  Object.entries(EXAMPLES).map(([language, codeFor], index) => (
    <details key={language} open={index === 0}>
      <summary>{language}</summary>
      <CodeBlock code={codeFor(url)} />
    </details>
  ))
