/** The whole import is refused; the message is one sentence that says what is wrong and what to do. */
export class Refusal extends Error {
  override name = 'Refusal'
}
