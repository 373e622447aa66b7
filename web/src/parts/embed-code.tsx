import { absolute } from '../address.ts'
import { embed as texts } from '../texts/en/embed.ts'
import { link, rich } from '../texts/rich.tsx'
import { CopyButton } from './copy-button.tsx'

interface EmbedCodeProps {
  /** The path of the embed, such as `/embed/parking`. */
  readonly path: string
  /** The name of the frame, for people who hear the page around it. */
  readonly title: string
  /** The height of the frame in pixels, without the script. */
  readonly height: number
}

/** The lines that show an embed on another site, to copy. The script of the page calls `enableCopyButtons`. */
export function EmbedCode({ path, title, height }: EmbedCodeProps) {
  const value = (words: string) => words.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const lines = [
    `<iframe src="${value(absolute(path))}" title="${value(title)}" width="100%" height="${height}" frameborder="0" loading="lazy"></iframe>`,
    `<script async src="${absolute('/embed.js')}"></script>`,
  ].join('\n')
  return (
    <details class="embed-code no-print">
      <summary>{texts.offer}</summary>
      <p>{rich(texts.offerDetail, { link: link('/docs/how-to/show-it-on-your-site') })}</p>
      <pre>
        <code>{lines}</code>
      </pre>
      <CopyButton text={lines} what={texts.lines} />
    </details>
  )
}
