/**
 * `for await` as a loop of a generator:
 *
 *   label: for await (const x of e) body
 *
 *   { const $loop = $allways.awaitLoop((e), "e"); try { label: for (; $loop.take(yield ($loop.next())); ) { const x = $loop.value; body } }
 *     catch ($error) { throw $loop.failed($error) }
 *     finally { if ($loop.closes()) try { $loop.closed(yield ($loop.closing)) } catch ($error) { $loop.closeFailed($error) } } }
 *
 * The names are those of the innermost such loop, which is the only one that emitted code refers to where it stands.
 */
import type { ForOfStatement, Node } from 'oxc-parser'
import type { Edits } from '../edits.ts'

interface Around {
  /** Those in front of the loop, which move inside. */
  readonly labels: readonly string[]
  /** What opens a parenthesis around what is awaited. */
  readonly awaited: string
}

export function rewriteAwaitLoop(edits: Edits, node: ForOfStatement, { labels, awaited }: Around): void {
  const { left, right, body } = node
  const loop = `${edits.prefix}_loop`
  const error = `${edits.prefix}_error`
  const open = `{ const ${loop} = ${edits.helper('awaitLoop')}((`
  const text = JSON.stringify(shownText(edits, right))
  const names = labels.map((label) => `${label}: `).join('')
  const head = `), ${text}); try { ${names}for (; ${loop}.take(${awaited}${loop}.next())); ) { `
  const isDeclared = left.type === 'VariableDeclaration'
  edits.replace(node.start, left.start, open)
  edits.before(left.start, isDeclared ? head : `${head};(`)
  edits.after(left.end, isDeclared ? ` = ${loop}.value; ` : ` = ${loop}.value); `)
  // What stands between the two: `of`, and comments.
  edits.replace(left.end, right.start, ' ')
  edits.replace(right.end, body.start, ' ')
  edits.move(right.start, right.end, left.start)
  const closed = `try { ${loop}.closed(${awaited}${loop}.closing)) } catch (${error}) { ${loop}.closeFailed(${error}) }`
  const end = `catch (${error}) { throw ${loop}.failed(${error}) } finally { if (${loop}.closes()) ${closed} }`
  edits.after(node.end, ` } } ${end} }`)
}

/** As V8 writes what is iterated in its messages. */
function shownText(edits: Edits, node: Node): string {
  if (node.type === 'ParenthesizedExpression') return shownText(edits, node.expression)
  if (node.type === 'ObjectExpression' && node.properties.length === 0) return '{}'
  const isName = node.type === 'Identifier' || node.type === 'ThisExpression' || node.type === 'Literal'
  const isMember = node.type === 'MemberExpression' && !node.computed && !node.optional
  if (isName) return edits.source.text.slice(node.start, node.end)
  if (isMember && node.property.type === 'Identifier') return `${shownText(edits, node.object)}.${node.property.name}`
  if (node.type === 'CallExpression') {
    return `${shownText(edits, node.callee)}(...) is not a function or its return value`
  }
  return '(intermediate value)'
}
