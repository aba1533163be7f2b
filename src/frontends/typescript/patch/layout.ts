/** How a file is laid out, so that what is inserted looks like the rest. */
import type MagicString from 'magic-string'
import type { Node } from 'oxc-parser'
import type { ParsedSource } from '../parse.ts'
import { walk } from '../syntax.ts'

/** White space at the beginning of the line. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

/** One level, as the first indented line has it. */
export function unitOf(text: string): string {
  return /\n(\t| {2,8})(?=[^\s*])/.exec(text)?.[1] ?? '  '
}

/** True if nothing but white space stands before it on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(0, offset))
}

/** Moves the lines between two offsets one level in, except those whose white space is part of a value. */
export function indentLines(source: ParsedSource, text: MagicString, [from, to]: readonly [number, number]): void {
  const values = literalRanges(source.program)
  const unit = unitOf(source.text)
  for (let at = source.text.indexOf('\n', from); at >= 0 && at < to; at = source.text.indexOf('\n', at + 1)) {
    const isValue = values.some(([start, end]) => start <= at && at < end)
    if (!isValue && !/^[ \t]*\r?\n/.test(source.text.slice(at + 1))) text.appendLeft(at + 1, unit)
  }
}

function literalRanges(program: Node): readonly (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = []
  walk(program, {
    enter: ({ type, start, end }) => {
      if (type === 'TemplateElement' || type === 'JSXText' || type === 'Literal') ranges.push([start, end])
    },
  })
  return ranges
}
