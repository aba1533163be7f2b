/**
 * Decides about every async function of a file: it becomes a coroutine, or stays native because it uses something that a
 * generator cannot express. The latter is refused when a process calls it, so that such code elsewhere does no harm.
 */
import type { Node, Program } from 'oxc-parser'
import { type FunctionLike, isFunction, isInitializer, isReference, walk } from './syntax.ts'

export interface AsyncFacts {
  /** Uses the `this` of what is around it; only of interest in arrow functions. */
  readonly usesThis: boolean
  /** Why it stays native, and where. */
  readonly refusal: Refusal | undefined
}

export interface Refusal {
  readonly construct: string
  readonly offset: number
}

/** Every async function that has a body. */
export function asyncFunctions(program: Program): ReadonlyMap<FunctionLike, AsyncFacts> {
  const finder = new AsyncFinder()
  walk(program, {
    enter: (node, parent) => finder.enter(node, parent),
    leave: (node, parent) => finder.leave(node, parent),
  })
  return finder.facts
}

/** True if evaluating the key of a method a second time gives the same key and does nothing else. */
function isRepeatable(key: Node): boolean {
  if (key.type === 'Literal' || key.type === 'Identifier') return true
  return key.type === 'MemberExpression' && !key.computed && isRepeatable(key.object)
}

/** What `this`, `super` and `arguments` may belong to. */
interface Scope {
  readonly kind: 'arrow' | 'function' | 'method of a literal' | 'initializer'
  /** Of an async function. */
  readonly facts: { usesThis: boolean; refusal: Refusal | undefined } | undefined
}

class AsyncFinder {
  readonly facts = new Map<FunctionLike, AsyncFacts>()
  /** Innermost last. */
  readonly #scopes: Scope[] = []

  enter(node: Node, parent: Node | undefined): void {
    this.#note(node, parent)
    if (isInitializer(node, parent)) this.#scopes.push({ kind: 'initializer', facts: undefined })
    if (isFunction(node)) this.#scopes.push(this.#functionScope(node, parent))
  }

  leave(node: Node, parent: Node | undefined): void {
    if (isFunction(node)) this.#scopes.pop()
    if (isInitializer(node, parent)) this.#scopes.pop()
  }

  #functionScope(node: FunctionLike, parent: Node | undefined): Scope {
    const isMethod = parent?.type === 'Property' && parent.method
    const kind = node.type === 'ArrowFunctionExpression' ? 'arrow' : isMethod ? 'method of a literal' : 'function'
    if (!node.async || node.body === null) return { kind, facts: undefined }
    const facts = { usesThis: false, refusal: refusalOfShape(node, parent) }
    this.facts.set(node, facts)
    return { kind, facts }
  }

  #note(node: Node, parent: Node | undefined): void {
    if (node.type === 'ForOfStatement' && node.await) refuse(this.#scopes.at(-1), 'for await', node)
    if (node.type === 'VariableDeclaration' && node.kind === 'await using') {
      refuse(this.#scopes.at(-1), 'await using', node)
    }
    if (node.type === 'ThisExpression') {
      for (const { facts } of this.#arrowsAround()) if (facts !== undefined) facts.usesThis = true
    }
    const lexical = lexicalName(node, parent)
    if (lexical === undefined) return
    for (const arrow of this.#arrowsAround()) refuse(arrow, `${lexical} in an async arrow function`, node)
    const owner = this.#scopes.findLast((scope) => scope.kind !== 'arrow')
    if (lexical === 'super' && owner?.kind === 'method of a literal') {
      refuse(owner, 'super in an async method of an object literal', node)
    }
  }

  *#arrowsAround(): Generator<Scope> {
    for (let index = this.#scopes.length - 1; this.#scopes[index]?.kind === 'arrow'; index--) {
      yield this.#scopes[index] as Scope
    }
  }
}

function refusalOfShape(node: FunctionLike, parent: Node | undefined): Refusal | undefined {
  if (node.generator) return { construct: 'an async generator', offset: node.start }
  if (parent?.type !== 'MethodDefinition') return undefined
  if (parent.decorators.length > 0) return { construct: 'a decorator on an async method', offset: parent.start }
  if (parent.computed && !isRepeatable(parent.key)) {
    return { construct: 'a computed name of an async method', offset: parent.key.start }
  }
  return undefined
}

/** What belongs to the nearest function that is not an arrow, and cannot be handed to a generator. */
function lexicalName(node: Node, parent: Node | undefined): string | undefined {
  if (node.type === 'Super') return 'super'
  if (node.type === 'MetaProperty' && node.meta.name === 'new') return 'new.target'
  if (node.type === 'Identifier' && node.name === 'arguments' && isReference(node, parent)) return 'arguments'
  return undefined
}

function refuse(scope: Scope | undefined, construct: string, node: Node): void {
  if (scope?.facts !== undefined) scope.facts.refusal ??= { construct, offset: node.start }
}
