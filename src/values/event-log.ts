/**
 * The part of a structured logger (pino has it) that background work needs. The fields begin with the name of the event,
 * which stays the same; the message is for people.
 */
export interface EventLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
