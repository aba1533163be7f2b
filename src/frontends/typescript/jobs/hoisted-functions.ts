/**
 * Declared functions are hoisted, and only as what the language makes of a declaration. At the head of their scope they become functions as
 * expressions make them, before any line of it runs: `f = $allways.declared(f, $allways_f, "f");`
 */
import type { Node, Statement } from 'oxc-parser'
import type { Edits } from '../edits.ts'

export class HoistedFunctions {
  readonly #edits: Edits
  readonly #pending = new Map<Node, string[]>()

  constructor(edits: Edits) {
    this.#edits = edits
  }

  /** `around` are the nodes that the declaration is in, innermost last. */
  note(around: readonly Node[], assignment: string): void {
    const scope = around.findLast(isScope)
    if (scope === undefined) return
    const noted = this.#pending.get(scope) ?? []
    noted.push(assignment)
    this.#pending.set(scope, noted)
  }

  /** On the way out, when all in the scope is rewritten. */
  leave(node: Node): void {
    const assignments = this.#pending.get(node)
    if (assignments === undefined) return
    const first = statementsOf(node).find((statement) => !isDirective(statement))
    if (first !== undefined) this.#edits.before(first.start, `${assignments.join(' ')} `)
  }
}

function isScope(node: Node): boolean {
  return statementsOf(node).length > 0
}

function statementsOf(node: Node): readonly Statement[] {
  switch (node.type) {
    case 'Program':
    case 'BlockStatement':
    case 'StaticBlock':
    case 'TSModuleBlock':
      return node.body as readonly Statement[]
    default:
      return []
  }
}

function isDirective(statement: Statement): boolean {
  return statement.type === 'ExpressionStatement' && typeof statement.directive === 'string'
}
