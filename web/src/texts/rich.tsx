import type { ComponentChildren } from 'preact'
import { otherLanguage, to } from '../address.ts'
import { compile, type NamesIn, type TagsIn } from './text.ts'

export { text } from './text.ts'

/** Writes a message with tags as parts of a page. */
export const rich = <Message extends string>(
  message: Message,
  values: RichValues<Message>,
): ComponentChildren => compile(message).format<ComponentChildren>(values)

/** Text or a part of the page for each placeholder, and for each tag a function that gets the words inside it. */
type RichValues<Message extends string> = Readonly<
  Record<NamesIn<Message>, ComponentChildren> & Record<TagsIn<Message>, Tag>
>

type Tag = (words: ComponentChildren) => ComponentChildren

/** Makes the words a link to an address. */
export const anchor =
  (href: string, hreflang?: string): Tag =>
  words => (
    <a href={href} hreflang={hreflang}>
      {words}
    </a>
  )

/** Makes the words a link to a path of the service. */
export const link = (path: string): Tag => anchor(to(path), otherLanguage(path))

export const strong: Tag = words => <strong>{words}</strong>
export const code: Tag = words => <code>{words}</code>
/** Makes the words fainter than the rest. */
export const muted: Tag = words => <span class="muted">{words}</span>
/** Keeps the words for people who hear the page. */
export const hidden: Tag = words => <span class="visually-hidden">{words}</span>
