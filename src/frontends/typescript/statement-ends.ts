/**
 * Behind `n++` a new line that begins with a parenthesis is a statement of its own, as no update can be called. The bundler goes on with the line before,
 * so a semicolon says it.
 */
import type { Node } from 'oxc-parser'
import type { Edits } from './edits.ts'

export function endUpdates(edits: Edits, node: Node): void {
  const { text } = edits.source
  for (const [at, next] of listIn(node).entries()) {
    const before = listIn(node)[at - 1]
    if (before === undefined || !/(?:\+\+|--)$/.test(text.slice(before.start, before.end))) continue
    if (/^[([`]/.test(text.slice(next.start, next.end))) edits.after(before.end, ';')
  }
}

function listIn(node: Node): readonly Node[] {
  switch (node.type) {
    case 'Program':
    case 'BlockStatement':
    case 'StaticBlock':
    case 'TSModuleBlock':
      return node.body
    case 'SwitchCase':
      return node.consequent
    default:
      return []
  }
}
