import { hostname, userInfo } from 'node:os'

/** The command of this process with its user and machine, such as `pds import (ada@registry-1)`. */
export const runBy = (command: string): string => `${command} (${userName()}@${hostname()})`

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // In a container, the user may have no name.
    return `user ${process.getuid?.()}`
  }
}
