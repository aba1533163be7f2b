/** What the lowering has to know of every async function of a file before it rewrites anything. */
import type { Function as FunctionNode, Node, Program } from 'oxc-parser'
import { type FunctionLike, isFunction, isInitializer, isReference, walk } from '../syntax.ts'

interface Refusal {
  readonly construct: string
  readonly offset: number
}

export interface FunctionFacts {
  /** Uses the `this` of what is around it; only of interest in arrow functions. */
  usesThis: boolean
  /** What an arrow function, or one within it, uses of the function around, which it has to be given. */
  readonly given: Set<Given>
  refusal: Refusal | undefined
}

export type Given = 'arguments' | 'new.target' | 'super'

export interface Facts {
  readonly functions: ReadonlyMap<FunctionLike, FunctionFacts>
  /** `arguments`, `new.target` and `super.x` inside an async arrow function: they are read from what it is given. */
  readonly givenNodes: ReadonlyMap<Node, Given>
  readonly refusals: readonly Refusal[]
}

export function asyncFacts(program: Program): Facts {
  const finder = new Finder()
  walk(program, {
    enter: (node, parent) => finder.enter(node, parent),
    leave: (node, parent) => finder.leave(node, parent),
  })
  for (const { refusal } of finder.functions.values()) if (refusal !== undefined) finder.refusals.push(refusal)
  finder.refuseAssigned()
  finder.refusals.sort((one, other) => one.offset - other.offset)
  return finder
}

/** In which a declared function is seen. */
const blocks: readonly Node['type'][] = ['Program', 'BlockStatement', 'StaticBlock', 'TSModuleBlock', 'SwitchStatement']

interface Scope {
  readonly kind: 'arrow' | 'function' | 'method of a literal' | 'initializer'
  /** Of an async function. */
  readonly facts: FunctionFacts | undefined
}

class Finder implements Facts {
  readonly functions = new Map<FunctionLike, FunctionFacts>()
  readonly givenNodes = new Map<Node, Given>()
  readonly refusals: Refusal[] = []
  readonly #declaredGenerators: { readonly name: string; readonly node: FunctionNode; readonly scope: Node }[] = []
  readonly #assigned: { readonly name: string; readonly at: number }[] = []
  /** Innermost last. */
  readonly #scopes: Scope[] = []
  readonly #parents: Node[] = []

  enter(node: Node, parent: Node | undefined): void {
    this.#noteAwaits(node, parent)
    this.#noteGiven(node, parent)
    if (node.type === 'AssignmentExpression' && node.left.type === 'Identifier')
      this.#assigned.push({ name: node.left.name, at: node.start })
    if (isInitializer(node, parent)) this.#scopes.push({ kind: 'initializer', facts: undefined })
    if (isFunction(node)) this.#scopes.push(this.#functionScope(node, parent))
    this.#parents.push(node)
  }

  leave(node: Node, parent: Node | undefined): void {
    this.#parents.pop()
    if (isFunction(node)) this.#scopes.pop()
    if (isInitializer(node, parent)) this.#scopes.pop()
  }

  /** The stub of a declared generator reads `prototype` of what its name stands for, where that is seen. */
  refuseAssigned(): void {
    for (const { name, node, scope } of this.#declaredGenerators) {
      const { start, end } = scope
      if (!this.#assigned.some((one) => one.name === name && one.at >= start && one.at < end)) continue
      const refusal = { construct: 'an async generator declaration that is assigned to', offset: node.start }
      this.refusals.push(refusal)
      const facts = this.functions.get(node)
      if (facts !== undefined) facts.refusal ??= refusal
    }
  }

  #functionScope(node: FunctionLike, parent: Node | undefined): Scope {
    const isMethod = parent?.type === 'Property' && parent.method
    const kind = node.type === 'ArrowFunctionExpression' ? 'arrow' : isMethod ? 'method of a literal' : 'function'
    if (!node.async || node.body === null) return { kind, facts: undefined }
    const facts: FunctionFacts = { usesThis: false, given: new Set(), refusal: refusalOfShape(node, parent) }
    this.functions.set(node, facts)
    const scope = this.#parents.findLast(({ type }) => blocks.includes(type))
    if (node.type === 'FunctionDeclaration' && node.generator && node.id !== null && scope !== undefined)
      this.#declaredGenerators.push({ name: node.id.name, node, scope })
    return { kind, facts }
  }

  #noteAwaits(node: Node, parent: Node | undefined): void {
    const isAwait = node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await)
    const isDisposal = node.type === 'VariableDeclaration' && node.kind === 'await using'
    const isInBlock = parent?.type === 'BlockStatement' && this.#scopes.length > 0
    if (isDisposal && !isInBlock) this.#refuseHere('await using other than in a block of a function', node)
    else if (isAwait && this.#scopes.length === 0) {
      this.refusals.push({ construct: 'await outside of functions', offset: node.start })
    }
    const declares = node.type === 'ForOfStatement' && node.left.type === 'VariableDeclaration' ? node.left : undefined
    if (declares?.kind === 'using' && node.type === 'ForOfStatement' && node.await) {
      this.#refuseHere('using in the head of for await', node)
    }
  }

  #refuseHere(construct: string, node: Node): void {
    const scope = this.#scopes.at(-1)
    if (scope?.facts !== undefined) scope.facts.refusal ??= { construct, offset: node.start }
    else this.refusals.push({ construct, offset: node.start })
  }

  #noteGiven(node: Node, parent: Node | undefined): void {
    const arrows = this.#arrowsAround()
    if (node.type === 'ThisExpression') for (const { facts } of arrows) if (facts !== undefined) facts.usesThis = true
    const lexical = lexicalName(node, parent)
    if (lexical === undefined) return
    if (lexical === 'super' && this.#scopes.findLast(({ kind }) => kind !== 'arrow')?.kind === 'method of a literal') {
      this.#refuseOwner('super in an async method of an object literal', node)
    }
    // The outermost async arrow function is given it; the names that it gets are seen by those within.
    const outermost = arrows.findLast(({ facts }) => facts !== undefined)?.facts
    if (outermost === undefined) return
    if (lexical === 'super' && !this.#canBeGiven(parent)) {
      const construct = 'super in an async arrow function, other than to read or call a member'
      for (const { facts } of arrows) if (facts !== undefined) facts.refusal ??= { construct, offset: node.start }
      return
    }
    outermost.given.add(lexical)
    this.givenNodes.set(lexical === 'super' ? (parent as Node) : node, lexical)
    if (lexical === 'super') for (const { facts } of arrows) if (facts !== undefined) facts.usesThis = true
  }

  #refuseOwner(construct: string, node: Node): void {
    const owner = this.#scopes.findLast((scope) => scope.kind !== 'arrow')
    if (owner?.facts !== undefined) owner.facts.refusal ??= { construct, offset: node.start }
  }

  /** Only `super.x` and `super.x(…)`. */
  #canBeGiven(member: Node | undefined): boolean {
    const around = this.#parents.at(-2)
    if (member?.type !== 'MemberExpression' || around === undefined) return false
    switch (around.type) {
      case 'AssignmentExpression':
        return around.left !== member
      case 'CallExpression':
        return !(around.callee === member && around.optional)
      case 'UpdateExpression':
      case 'TaggedTemplateExpression':
      case 'AssignmentPattern':
      case 'ArrayPattern':
      case 'RestElement':
        return false
      case 'UnaryExpression':
        return around.operator !== 'delete'
      case 'Property':
        return around.value !== member || this.#parents.at(-3)?.type !== 'ObjectPattern'
      case 'ForOfStatement':
      case 'ForInStatement':
        return around.left !== member
      default:
        return true
    }
  }

  /** Innermost first: arrow functions up to the function that they are in. */
  #arrowsAround(): Scope[] {
    const found: Scope[] = []
    for (let at = this.#scopes.length - 1; this.#scopes[at]?.kind === 'arrow'; at--)
      found.push(this.#scopes[at] as Scope)
    return found
  }
}

function refusalOfShape(node: FunctionLike, parent: Node | undefined): Refusal | undefined {
  if (parent?.type === 'Property' && parent.method && !parent.computed && nameOf(parent.key) === '__proto__') {
    return { construct: 'an async method that is called __proto__', offset: parent.start }
  }
  // What becomes of it in a bundle is declared where it stands, and used before.
  if (parent?.type === 'SwitchCase' && node.type === 'FunctionDeclaration')
    return { construct: 'an async function declared in a case of a switch', offset: node.start }
  if (parent?.type !== 'MethodDefinition') return undefined
  if (parent.decorators.length > 0) return { construct: 'a decorator on an async method', offset: parent.start }
  return undefined
}

function nameOf(key: Node): unknown {
  return key.type === 'Identifier' ? key.name : key.type === 'Literal' ? key.value : undefined
}

/** What belongs to the nearest function that is not an arrow, and cannot be handed to a generator. */
function lexicalName(node: Node, parent: Node | undefined): Given | undefined {
  if (node.type === 'Super') return 'super'
  if (node.type === 'MetaProperty' && node.meta.name === 'new') return 'new.target'
  if (node.type === 'Identifier' && node.name === 'arguments' && isReference(node, parent)) return 'arguments'
  return undefined
}
