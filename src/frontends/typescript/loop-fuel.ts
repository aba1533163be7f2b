/** Every loop body begins with a call that counts, so that a process that loops for ever is found with its place. */
import type { Node, Statement } from 'oxc-parser'
import type { Edits } from './edits.ts'

export function countIterations(edits: Edits, node: Node): void {
  const body = loopBody(node)
  if (body === undefined) return
  const tick = `${edits.helper('tick')}();`
  if (body.type === 'BlockStatement') {
    edits.after(body.start + 1, ` ${tick}`)
    return
  }
  edits.before(body.start, `{ ${tick} `)
  edits.after(body.end, ' }')
}

function loopBody(node: Node): Statement | undefined {
  switch (node.type) {
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return node.body
    default:
      return undefined
  }
}
