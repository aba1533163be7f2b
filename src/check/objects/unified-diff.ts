/** Two texts as a unified diff. Lines are compared by the longest common subsequence; sources are short enough for that. */

const context = 3

interface Line {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

export function unifiedDiff(file: string, before: string, after: string): string {
  if (before === after) return ''
  const lines = compared(linesOf(before), linesOf(after))
  return `--- a/${file}\n+++ b/${file}\n${hunks(lines).join('')}`
}

/** Each with its end, which the last one may lack. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function hunks(lines: readonly Line[]): readonly string[] {
  const changed = lines.flatMap(({ mark }, index) => (mark === ' ' ? [] : [index]))
  const ranges: [number, number][] = []
  for (const index of changed) {
    const last = ranges.at(-1)
    const from = Math.max(0, index - context)
    const to = Math.min(lines.length, index + context + 1)
    if (last !== undefined && from <= last[1]) last[1] = to
    else ranges.push([from, to])
  }
  return ranges.map(([from, to]) => hunk(lines, from, to))
}

function hunk(lines: readonly Line[], from: number, to: number): string {
  const count = (part: readonly Line[], mark: '-' | '+') => part.filter((line) => line.mark !== mark).length
  const ahead = lines.slice(0, from)
  const part = lines.slice(from, to)
  const range = (mark: '-' | '+') => {
    const length = count(part, mark)
    return `${count(ahead, mark) + (length === 0 ? 0 : 1)},${length}`
  }
  const text = part.map(({ mark, text: line }) => `${mark}${line}${line.endsWith('\n') ? '' : noEnd}`).join('')
  return `@@ -${range('+')} +${range('-')} @@\n${text}`
}

const noEnd = '\n\\ No newline at end of file\n'

function compared(before: readonly string[], after: readonly string[]): readonly Line[] {
  const start = commonPrefix(before, after)
  const end = commonPrefix(before.slice(start).reverse(), after.slice(start).reverse())
  const same = (text: string): Line => ({ mark: ' ', text })
  return [
    ...before.slice(0, start).map(same),
    ...aligned(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ]
}

function commonPrefix(left: readonly string[], right: readonly string[]): number {
  let length = 0
  while (length < left.length && length < right.length && left[length] === right[length]) length++
  return length
}

function aligned(before: readonly string[], after: readonly string[]): readonly Line[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const best =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
      ;(lengths[row] as Uint32Array)[column] = best
    }
  }
  const lines: Line[] = []
  let row = 0
  let column = 0
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      lines.push({ mark: ' ', text: before[row++] as string })
      column++
    } else if (column >= after.length || (row < before.length && at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ mark: '-', text: before[row++] as string })
    } else lines.push({ mark: '+', text: after[column++] as string })
  }
  return lines
}
