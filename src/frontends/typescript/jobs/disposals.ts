/**
 * `await using` in a block of an async function:
 *
 *   { await using x = e; body }
 *
 *   { const $disposals = $allways.disposals(); try { const x = $disposals.add((e)); body }
 *     catch ($error) { $disposals.failed($error) } finally { yield* ($disposals.dispose()) } }
 */
import type { Node, VariableDeclaration } from 'oxc-parser'
import type { Edits } from '../edits.ts'

type Block = Node & { readonly type: 'BlockStatement' }

/** Whether everything that the block holds is disposed of by emitted code. Blocks with `using` alone stay as they are. */
export function holdsResources(node: Node): node is Block {
  return node.type === 'BlockStatement' && node.body.some((one) => declares(one, 'await using'))
}

/** `each` opens a parenthesis around what gives all that is awaited. */
export function rewriteDisposals(edits: Edits, node: Block, each: string): void {
  const name = `${edits.prefix}_disposals`
  const error = `${edits.prefix}_error`
  for (const one of node.body) {
    if (declares(one, 'await using')) rewriteDeclaration(edits, one, `${name}.add`)
    if (declares(one, 'using')) rewriteDeclaration(edits, one, `${name}.addSync`)
  }
  edits.after(node.start + 1, ` const ${name} = ${edits.helper('disposals')}(); try {`)
  edits.before(node.end - 1, `} catch (${error}) { ${name}.failed(${error}) } finally { ${each}${name}.dispose()) } `)
}

function rewriteDeclaration(edits: Edits, node: VariableDeclaration, add: string): void {
  const [first] = node.declarations
  if (first === undefined) return
  edits.replace(node.start, first.start, 'const ')
  for (const { init } of node.declarations) {
    if (init === null) continue
    edits.before(init.start, `${add}((`)
    edits.after(init.end, '))')
  }
}

function declares(node: Node, kind: VariableDeclaration['kind']): node is VariableDeclaration {
  return node.type === 'VariableDeclaration' && node.kind === kind
}
