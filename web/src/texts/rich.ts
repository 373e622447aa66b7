import type { ComponentChildren } from 'preact'
import { compile, type NamesIn, type TagsIn } from './text.ts'

/** Writes a message with tags as parts of a page. */
export const rich = <Message extends string>(
  message: Message,
  values: RichValues<Message>,
): ComponentChildren => compile(message).format<ComponentChildren>(values)

/** Text or a part of the page for each placeholder, and for each tag a function that gets the words inside it. */
type RichValues<Message extends string> = Readonly<
  Record<NamesIn<Message>, ComponentChildren> &
    Record<TagsIn<Message>, (words: ComponentChildren) => ComponentChildren>
>
