/** Which blocks of the extractor a program reaches: a mutant elsewhere changes nothing about it. */
import MagicString from 'magic-string'
import { type Node, parseSync } from 'oxc-parser'
import { walk } from '../../src/frontends/typescript/syntax.ts'

interface Block {
  readonly start: number
  readonly end: number
  readonly number: number
}

export interface Numbered {
  /** Tells of every block that is begun. */
  readonly text: string
  /** The innermost block around it; undefined outside all functions, which is reached whenever the file is loaded. */
  blockAt(start: number, end: number): number | undefined
}

export function withNumbers(file: string, source: string, first: number): Numbered & { readonly count: number } {
  const blocks: Block[] = []
  const changed = new MagicString(source)
  const begin = ({ start, end }: Node, at: number): void => {
    const number = first + blocks.length
    blocks.push({ start, end, number })
    changed.appendLeft(at, `$reached(${number});`)
  }
  walk(parseSync(file, source).program, {
    enter: (node) => {
      if (node.type === 'BlockStatement') begin(node, node.start + 1)
      else if (node.type === 'SwitchCase' && node.consequent[0] !== undefined) begin(node, node.consequent[0].start)
    },
  })
  const around = (start: number, end: number) => blocks.filter((one) => one.start < start && end < one.end)
  return {
    text: changed.toString(),
    count: blocks.length,
    // Blocks are numbered from outside in.
    blockAt: (start, end) => around(start, end).at(-1)?.number,
  }
}
