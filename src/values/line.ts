import Type from 'typebox'

/** Text without control characters and line separators, because it is shown on one line. */
export const line = (maxLength: number) =>
  Type.String({
    pattern: '^\\S[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
    maxLength,
    description: `text of 1 to ${maxLength} characters on one line`,
  })
