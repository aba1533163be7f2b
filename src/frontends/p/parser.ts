/** The parser of P: one source to its declarations, and to what is wrong with it. */
import type { Declaration, SourceText } from './ast.ts'
import { Cursor } from './cursor.ts'
import { tokenize } from './lexer.ts'
import { parseDeclaration } from './parse-declaration.ts'
import { type Problem, Problems } from './problem.ts'
import { deepestNode } from './tree-depth.ts'

export interface Parsed {
  readonly declarations: readonly Declaration[]
  /** Not empty: the declarations are what could be read, and not the whole of the source. */
  readonly problems: readonly Problem[]
}

/** The index is that of the source in its project, and becomes a part of every span. */
export function parse(source: SourceText, index: number, { legacy }: { readonly legacy: boolean }): Parsed {
  const problems = new Problems()
  const cursor = new Cursor(tokenize(source.text, { source: index, legacy, problems }), problems, legacy)
  const declarations: Declaration[] = []
  while (!cursor.isAtEnd && !problems.isFull) {
    const read = cursor.attempt(() => parseDeclaration(cursor))
    if (read === undefined) cursor.skipToDeclaration()
    else if (isShallow(read, problems)) declarations.push(read)
  }
  return { declarations, problems: problems.all() }
}

/** Long chains of operators are read without recursion, and those who visit the tree would overflow. */
function isShallow(declaration: Declaration, problems: Problems): boolean {
  const node = deepestNode(declaration, deepestTree)
  if (node === undefined) return true
  const hint = `chains of operators and of "else if" have at most about ${deepestTree} links: split it in parts`
  problems.add({ code: 'E708', message: 'this is nested too deeply', hint, at: node.at })
  return false
}

const deepestTree = 1000
