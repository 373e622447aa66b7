/** A problem in one row of a source, for the person who can fix it. */
export interface RowIssue {
  /** Line of the source, the header being line 1; for JSON the line on which the record starts; null: not about one row. */
  readonly line: number | null
  /** The source's own name of the column. */
  readonly column: string | null
  /** The value in the source, truncated to 80 characters. */
  readonly value: string | null
  readonly reason: string
}

/** Issues of the same column for the same reason. */
export interface IssueGroup extends Pick<RowIssue, 'column' | 'reason'> {
  readonly count: number
  /** The first lines; fewer where an issue is about no line. */
  readonly lines: readonly number[]
  /** The first different values. */
  readonly values: readonly string[]
}

/** Groups beyond this number are left out, which bounds the memory for a bad file. */
const MOST_GROUPS = 1000
const LISTED_LINES = 10
const LISTED_VALUES = 3

type Growing = IssueGroup & { count: number; lines: number[]; values: string[] }

/** Groups issues one by one. */
export function createIssueGroups() {
  const groups = new Map<string, Growing>()
  return {
    add({ line, column, value, reason }: RowIssue): void {
      const key = `${column}\n${reason}`
      let group = groups.get(key)
      if (group === undefined) {
        if (groups.size >= MOST_GROUPS) return
        group = { column, reason, count: 0, lines: [], values: [] }
        groups.set(key, group)
      }
      group.count++
      if (line !== null && group.lines.length < LISTED_LINES && group.lines.at(-1) !== line)
        group.lines.push(line)
      if (value !== null && group.values.length < LISTED_VALUES && !group.values.includes(value))
        group.values.push(value)
    },
    /** In the order in which they began. */
    all: (): readonly IssueGroup[] => [...groups.values()],
  }
}
