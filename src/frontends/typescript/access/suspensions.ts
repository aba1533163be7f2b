/** What evaluating a part of the source can do to the values that wait meanwhile: suspend, or assign a variable. */
import type { Node } from 'oxc-parser'
import { isClass, isFunction } from '../syntax.ts'
import { type Binding, type Bindings, isImmutable } from './bindings.ts'
import { assignedTargets, evaluatedWith, valueChildren } from './tree.ts'

export class Suspensions {
  readonly #bindings: Bindings
  /** Answers by node: every expression asks about its operands, which would be quadratic in the depth. */
  readonly #stops = new Map<Node, boolean>()
  readonly #assigns = new Map<Node, boolean>()

  constructor(bindings: Bindings) {
    this.#bindings = bindings
  }

  /** Whether an operation may stand in it; sometimes too cautious. */
  mayStop(node: Node): boolean {
    return remembered(
      this.#stops,
      node,
      () => this.#isOperation(node) || [...inside(node)].some((child) => this.mayStop(child)),
    )
  }

  /** Whether a local variable without a box is assigned in it. */
  assigns(node: Node): boolean {
    return remembered(
      this.#assigns,
      node,
      () => [...this.#assignedBy(node)].length > 0 || [...inside(node)].some((child) => this.assigns(child)),
    )
  }

  assignsTo(nodes: readonly Node[], binding: Binding): boolean {
    for (const node of nodes) {
      if (!this.assigns(node)) continue
      for (const inner of evaluatedWith(node)) if ([...this.#assignedBy(inner)].includes(binding)) return true
    }
    return false
  }

  *#assignedBy(node: Node): Generator<Binding> {
    const targets = targetOf(node)
    if (targets === undefined) return
    for (const target of assignedTargets(targets)) {
      const binding = this.#bindings.resolved.get(target)
      if (binding !== undefined && !binding.isBoxed) yield binding
    }
  }

  #isOperation(node: Node): boolean {
    switch (node.type) {
      case 'CallExpression':
      case 'NewExpression':
      case 'AwaitExpression':
      case 'YieldExpression':
      // In an async generator what it returns is awaited.
      case 'ReturnStatement':
      case 'TaggedTemplateExpression':
      case 'SpreadElement':
      case 'ObjectPattern':
      case 'ArrayPattern':
      case 'ForOfStatement':
      case 'ForInStatement':
        return true
      case 'MemberExpression':
        return !isImmutable(this.#bindings, node)
      case 'BinaryExpression':
        return node.operator === 'in'
      case 'Identifier':
        return this.#bindings.resolved.get(node)?.isBoxed === true
      default:
        return false
    }
  }
}

function targetOf(node: Node): Node | undefined {
  if (node.type === 'AssignmentExpression') return node.left
  if (node.type === 'UpdateExpression') return node.argument
  if (node.type === 'ObjectPattern' || node.type === 'ArrayPattern') return node
  return undefined
}

function* inside(node: Node): Generator<Node> {
  if (isFunction(node)) return
  if (!isClass(node)) {
    yield* valueChildren(node)
    return
  }
  if (node.superClass !== null) yield node.superClass
  for (const member of node.body.body) if ('key' in member && member.computed) yield member.key
}

function remembered(memory: Map<Node, boolean>, node: Node, compute: () => boolean): boolean {
  const known = memory.get(node)
  if (known !== undefined) return known
  const answer = compute()
  memory.set(node, answer)
  return answer
}
