import Type from 'typebox'
import { PROBLEMS } from '../errors.ts'

const ParameterError = Type.Object({
  parameter: Type.String({ description: 'The parameter, or the variable part of the path.' }),
  value: Type.Optional(Type.String({ description: 'The value as sent, cut at 100 characters.' })),
  detail: Type.String({ description: 'What is wrong with it.' }),
  allowed: Type.Optional(Type.String({ description: 'What is allowed.' })),
  nearest: Type.Optional(Type.String({ description: 'The nearest allowed value.' })),
})

const RemovedPlace = Type.Object(
  {
    name: Type.String({ description: 'What it was called, or where it was.' }),
    removedAt: Type.String({ format: 'date-time', description: 'When the list was published without it.' }),
    nearest: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        path: Type.String({ description: 'Where its whole record is.' }),
        distanceMetres: Type.Integer({ minimum: 0 }),
      }),
      {
        description:
          'The nearest places that are still listed, nearest first; empty if its position is not known.',
      },
    ),
  },
  { description: 'Only with RECORD_REMOVED: the place that has left the list.' },
)
export type RemovedPlace = Type.Static<typeof RemovedPlace>

/** The body of every error (RFC 9457). */
export const ProblemBody = Type.Object(
  {
    type: Type.String({ format: 'uri-reference', description: 'A page that explains this kind of problem.' }),
    title: Type.String({ description: 'The kind of problem, the same for every occurrence.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What is wrong with this request.' }),
    instance: Type.String({ description: 'The requested path and query, cut at 200 characters.' }),
    code: Type.Unsafe({
      type: 'string',
      enum: Object.keys(PROBLEMS),
      description: 'Stable: branch on this.',
    }),
    hint: Type.String({ description: 'What you can do about it.' }),
    errors: Type.Optional(Type.Array(ParameterError, { description: 'What is wrong with each parameter.' })),
    removed: Type.Optional(RemovedPlace),
    traceId: Type.Optional(
      Type.String({ description: 'Identifies this request in the log of the service: name it in a report.' }),
    ),
  },
  { $id: 'Problem', title: 'Problem', description: 'An error (RFC 9457), as application/problem+json.' },
)

export type ProblemBody = Type.Static<typeof ProblemBody>
