/** A page of documentation as data: its fenced blocks, and the commands in them. */

export interface Block {
  readonly language: string
  /** From `file=name` behind the language: the name under which later commands find the block. */
  readonly file: string | undefined
  /** Line of the first line of contents, from 1. */
  readonly line: number
  readonly lines: readonly string[]
}

export interface Command {
  readonly text: string
  /** Line of the command, from 1. */
  readonly line: number
  readonly expected: readonly string[]
}

const fence = /^```(.*)$/

export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = []
  let open: { readonly info: string; readonly line: number; readonly lines: string[] } | undefined
  for (const [at, line] of page.split('\n').entries()) {
    const info = fence.exec(line)?.[1]
    if (info === undefined) open?.lines.push(line)
    else if (open === undefined) open = { info, line: at + 2, lines: [] }
    else if (info === '') {
      blocks.push(block(open.info, open.line, open.lines))
      open = undefined
    } else throw new Error(`line ${at + 1}: a block begins inside the block of line ${open.line - 1}`)
  }
  if (open !== undefined) throw new Error(`line ${open.line - 1}: the block does not end`)
  return blocks
}

function block(info: string, line: number, lines: readonly string[]): Block {
  const [language = '', ...rest] = info.trim().split(/\s+/)
  const unknown = rest.filter((word) => !word.startsWith('file='))
  if (unknown.length > 0) throw new Error(`line ${line - 1}: "${unknown.join(' ')}" means nothing behind the language`)
  return { language, file: rest[0]?.slice('file='.length), line, lines }
}

/** `$ command` lines, each with the output below it. */
export function commandsOf({ line, lines }: Block): readonly Command[] {
  const starts = lines.flatMap((text, at) => (text.startsWith('$ ') ? [at] : []))
  if (starts[0] !== 0) throw new Error(`line ${line}: a console block begins with a command`)
  return starts.map((start, index) => ({
    text: lines[start]?.slice(2) ?? '',
    line: line + start,
    expected: withoutBlankEnd(lines.slice(start + 1, starts[index + 1])),
  }))
}

/** Output as printed: without spaces at the end of lines and blank lines at its own end. */
export function outputLines(output: string): readonly string[] {
  return withoutBlankEnd(output.split('\n').map((line) => line.trimEnd()))
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1)
}

/** Lines of a page to be replaced: `count` of them, from line `line` (from 1). */
export interface Edit {
  readonly line: number
  readonly count: number
  readonly lines: readonly string[]
}

export function edited(page: string, edits: readonly Edit[]): string {
  const lines = page.split('\n')
  // From the end, so that no edit moves the lines of another.
  for (const edit of [...edits].sort((left, right) => right.line - left.line)) {
    lines.splice(edit.line - 1, edit.count, ...edit.lines)
  }
  return lines.join('\n')
}
