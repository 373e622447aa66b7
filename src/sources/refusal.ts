/** The whole import is refused; the message says in one sentence what is wrong and what to do. */
export class Refusal extends Error {
  override name = 'Refusal'
}
