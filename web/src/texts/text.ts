import { IntlMessageFormat } from 'intl-messageformat'
import { language } from './en/language.ts'

/*
 * Formats the messages of the catalogue. They are in ICU's syntax: `{count, plural, one {# space} other {# spaces}}` chooses by a
 * number, and `<link>words</link>` marks words for a part of the page. The build parses them (`web/build/messages.mjs`).
 */

/** Compiled messages by their text. The service renders each page from the same few hundred messages. */
const compiled = new Map<string, IntlMessageFormat>()

/** Gives a message in the form that is formatted. */
export function compile(message: string): IntlMessageFormat {
  const known = compiled.get(message)
  if (known !== undefined) return known
  const made = new IntlMessageFormat(message, language.locale)
  compiled.set(message, made)
  return made
}

/** Writes a message without tags as text. */
export const text = <Message extends string>(message: Message, values: TextValues<Message>): string =>
  String(compile(message).format(values))

/** A value for each placeholder. A message with tags has no such values: `rich` writes it. */
type TextValues<Message extends string> = [TagsIn<Message>] extends [never]
  ? Readonly<Record<NamesIn<Message>, string | number>>
  : never

/* The types below read the names out of a message, so that the compiler finds a missing or misspelt value. */

/** The names after a place in the text of a message: the text ends its branch with `}`, or has an argument at `{`. */
export type NamesIn<Text extends string> = Text extends `${infer Before}{${infer After}`
  ? Before extends `${string}}${infer Rest}`
    ? NamesInBranches<`${Rest}{${After}`>
    : NamesInArgument<After>
  : never

/** The names after the `{` of an argument. An argument with branches has another `{` before its `}`. */
type NamesInArgument<Text extends string> = Text extends `${infer Argument}}${infer After}`
  ? Argument extends `${string}{${string}`
    ? Text extends `${infer Name},${string},${infer Branches}`
      ? Name | NamesInBranches<Branches>
      : never
    : Argument | NamesIn<After>
  : never

/** The names after a place between the branches of an argument: the next branch begins at `{`, and `}` ends the argument. */
type NamesInBranches<Text extends string> = Text extends `${infer Before}{${infer After}`
  ? Before extends `${string}}${infer Rest}`
    ? NamesIn<`${Rest}{${After}`>
    : NamesIn<After>
  : never

/** The tags of a message. */
export type TagsIn<Text extends string> = Text extends `${string}</${infer Tag}>${infer After}`
  ? Tag | TagsIn<After>
  : never
