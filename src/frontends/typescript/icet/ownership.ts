/**
 * Which objects may be changed in place. The term copies values, so a change through one name would not be seen through another:
 * only an object that was made for one name, and that is never given to another, may be changed through it. The question is
 * answered by the text of the module alone, for all executions at once.
 */
import type { Node } from 'oxc-parser'
import type { Binding } from '../access/bindings.ts'
import { unwrapped } from '../access/tree.ts'
import { type FunctionLike, isFunction, walk } from '../syntax.ts'
import type { Module } from './modules.ts'
import { givesItself, givesNew, givesView, isKnownClass, isPureFunction, makesObject } from './pure-methods.ts'

export class Ownership {
  readonly #module: Module
  readonly #parents = new Map<Node, Node>()
  /** By variable: where its name stands, declarations included. */
  readonly #names = new Map<Binding, Node[]>()
  /** Answers that are known or being looked for; what depends on itself does no harm. */
  readonly #kept = new Map<Binding, boolean>()
  readonly #owned = new Map<Binding, boolean>()
  /** Functions whose returns are being looked at. */
  readonly #asked = new Set<FunctionLike>()

  constructor(module: Module) {
    this.#module = module
    walk(module.source.program, {
      enter: (node, parent) => {
        if (parent !== undefined) this.#parents.set(node, parent)
        const binding = module.bindingOf(node)
        if (binding === undefined) return
        const names = this.#names.get(binding)
        if (names === undefined) this.#names.set(binding, [node])
        else names.push(node)
      },
    })
  }

  /** The variable alone holds its object, at all times. A parameter holds that of an argument (`maySend`). */
  isOwner(binding: Binding): boolean {
    const known = this.#owned.get(binding)
    if (known !== undefined) return known
    this.#owned.set(binding, true)
    const isOwner = this.#isGivenNew(binding) && this.isKept(binding)
    this.#owned.set(binding, isOwner)
    return isOwner
  }

  /** Whether a function that changes its parameter may get this argument. */
  isOwned(argument: Node): boolean {
    const node = unwrapped(argument)
    const binding = node.type === 'Identifier' ? this.#module.bindingOf(node) : undefined
    return binding === undefined ? this.isNew(node) : this.isOwner(binding)
  }

  /** The expression makes an object that nothing else holds, or no object at all. */
  isNew(written: Node): boolean {
    const node = unwrapped(written)
    switch (node.type) {
      case 'ArrayExpression':
      case 'ObjectExpression':
      case 'Literal':
      case 'TemplateLiteral':
        return true
      case 'NewExpression':
        return node.callee.type === 'Identifier' && this.#isGlobal(node.callee) && isKnownClass(node.callee.name)
      case 'Identifier':
        return node.name === 'undefined' && this.#isGlobal(node)
      case 'ConditionalExpression':
        return this.isNew(node.consequent) && this.isNew(node.alternate)
      case 'YieldExpression':
      case 'AwaitExpression':
        return node.argument !== null && unwrapped(node.argument).type === 'CallExpression' && this.isNew(node.argument)
      case 'CallExpression':
        return this.#givesNew(node)
      default:
        return false
    }
  }

  /** An object that the module makes here, or where the variable is declared. */
  isObject(written: Node): boolean {
    const node = unwrapped(written)
    if (node.type === 'YieldExpression' || node.type === 'AwaitExpression') {
      return node.argument !== null && this.isObject(node.argument)
    }
    const called = node.type === 'CallExpression' ? this.#module.functionNamed(unwrapped(node.callee)) : undefined
    if (called !== undefined)
      return this.#ofReturned(called, false, (values) => values.some((one) => this.isObject(one)))
    if (node.type === 'ConditionalExpression') return this.isObject(node.consequent) || this.isObject(node.alternate)
    if (node.type !== 'Identifier') return isFunction(node) || (this.isNew(node) && !isPrimitive(node))
    const binding = this.#module.bindingOf(node)
    const init = binding === undefined ? undefined : this.#module.declarators.get(binding)?.init
    return binding !== undefined && init != null && unwrapped(init) !== node && this.isObject(init)
  }

  #givesNew({ callee: written }: Extract<Node, { type: 'CallExpression' }>): boolean {
    const callee = unwrapped(written)
    const global = this.#globalName(callee)
    if (global !== undefined) return makesObject(global)
    if (callee.type === 'MemberExpression') return givesNew(methodName(callee))
    const called = callee.type === 'Identifier' ? this.#module.functionNamed(callee) : undefined
    if (called === undefined) return false
    return this.#ofReturned(called, true, (values) => values.every((value) => this.#isMovedOut(value, called)))
  }

  /** A function that calls itself gives what its other returns give. */
  #ofReturned(called: FunctionLike, again: boolean, answer: (values: readonly Node[]) => boolean): boolean {
    if (this.#asked.has(called)) return again
    this.#asked.add(called)
    const { body } = called
    const values = body === null || body.type === 'BlockStatement' ? this.#returned(called) : [body]
    const result = answer(values.filter((value) => value !== null))
    this.#asked.delete(called)
    return result
  }

  /** A variable of the function that ends with this. */
  #isMovedOut(value: Node, owner: FunctionLike): boolean {
    const node = unwrapped(value)
    const binding = node.type === 'Identifier' ? this.#module.bindingOf(node) : undefined
    if (binding === undefined) return this.isNew(node)
    return binding.kind !== 'parameter' && this.#functionAround(node) === owner && this.isOwner(binding)
  }

  #returned(owner: FunctionLike): readonly (Node | null)[] {
    const found: (Node | null)[] = []
    walk(owner, {
      enter: (node) => {
        if (node.type === 'ReturnStatement' && this.#functionAround(node) === owner) found.push(node.argument)
      },
    })
    return found
  }

  #isGivenNew(binding: Binding): boolean {
    if (binding.kind === 'parameter') return this.#isCalledByName(binding)
    if (binding.kind !== 'let' && binding.kind !== 'const' && binding.kind !== 'var') return false
    return this.#namesOf(binding).every((name) => {
      const parent = this.#parents.get(name)
      switch (parent?.type) {
        case 'VariableDeclarator':
          if (parent.id !== name) return true
          return parent.init === null ? !this.#isLoopVariable(parent) : this.isNew(parent.init)
        case 'AssignmentExpression':
          return parent.left !== name || this.isNew(parent.right)
        case 'Property':
        case 'AssignmentPattern':
        case 'ArrayPattern':
        case 'RestElement':
          return this.#isInLiteral(parent)
        default:
          return true
      }
    })
  }

  /** `var` that means what `let` means: declared once, in the body of its function itself, and used only after that. */
  isLikeLet(declaration: Extract<Node, { type: 'VariableDeclaration' }>): boolean {
    const body = this.#parents.get(declaration)
    const owner = body === undefined ? undefined : this.#parents.get(body)
    if (body?.type !== 'BlockStatement' || owner === undefined || !isFunction(owner)) return false
    return declaration.declarations.every(({ id }) => {
      const binding = id.type === 'Identifier' ? this.#module.bindingOf(id) : undefined
      if (binding?.kind !== 'var' || binding.firstUse < declaration.start) return false
      const declared = this.#namesOf(binding).filter((name) => {
        const parent = this.#parents.get(name)
        return parent?.type === 'VariableDeclarator' && parent.id === name
      })
      return declared.length === 1
    })
  }

  #isLoopVariable(declarator: Node): boolean {
    const declaration = this.#parents.get(declarator)
    const loop = declaration === undefined ? undefined : this.#parents.get(declaration)
    return loop?.type === 'ForOfStatement' || loop?.type === 'ForInStatement'
  }

  #isInLiteral(property: Node): boolean {
    return this.#parents.get(property)?.type === 'ObjectExpression'
  }

  /** A parameter without pattern of a function whose every mention is a call; each call looks at its argument. */
  #isCalledByName(binding: Binding): boolean {
    const [name] = this.#namesOf(binding)
    const owner = name === undefined ? undefined : this.#parents.get(name)
    if (owner === undefined || !isFunction(owner) || !owner.params.some((one) => one === name)) return false
    const declared = this.#nameOf(owner)
    if (declared === undefined || binding.assigned) return false
    return this.#namesOf(declared).every((mention) => {
      const parent = this.#parents.get(mention)
      if (parent === owner || parent?.type === 'VariableDeclarator' || parent?.type === 'ExportSpecifier') return true
      return parent?.type === 'CallExpression' && parent.callee === mention
    })
  }

  #nameOf(owner: FunctionLike): Binding | undefined {
    if (owner.type === 'FunctionDeclaration' && owner.id !== null) return this.#module.bindingOf(owner.id)
    const parent = this.#parents.get(owner)
    if (parent?.type !== 'VariableDeclarator' || owner.id) return undefined
    const binding = this.#module.bindingOf(parent.id)
    return binding?.kind === 'const' ? binding : undefined
  }

  /** The object is never given away: to another name, into another object, into a message, to a function that keeps it. */
  isKept(binding: Binding): boolean {
    const known = this.#kept.get(binding)
    if (known !== undefined) return known
    this.#kept.set(binding, true)
    const isKept = this.#namesOf(binding).every((name) => this.#staysHere(name, binding))
    this.#kept.set(binding, isKept)
    return isKept
  }

  #staysHere(name: Node, binding: Binding): boolean {
    const node = this.#wrapped(name)
    const parent = this.#parents.get(node)
    switch (parent?.type) {
      case 'VariableDeclarator':
        return parent.id === node
      case 'MemberExpression':
        return parent.object !== node || this.#isUsedOnce(parent)
      case 'AssignmentExpression':
        return parent.left === node
      case 'ForOfStatement':
      case 'ForInStatement':
        return parent.right === node
      case 'BinaryExpression':
        return !['==', '!=', '===', '!=='].includes(parent.operator)
      case 'LogicalExpression':
        return parent.operator === '&&' && parent.left === node
      case 'ConditionalExpression':
      case 'IfStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
        return parent.test === node
      case 'CallExpression':
        return this.#staysInCall(node, parent, binding)
      case 'ReturnStatement':
        return binding.kind !== 'parameter' && this.#functionAround(node) === binding.scope.region.node
      case 'SpreadElement':
      case 'UnaryExpression':
      case 'TemplateLiteral':
      case 'ExpressionStatement':
        return true
      default:
        // Where a parameter is declared.
        return parent !== undefined && isFunction(parent) && parent.params.some((one) => one === node)
    }
  }

  /** What a member gives is used where it stands, if that is the object itself or a view of it. */
  #isUsedOnce(written: Extract<Node, { type: 'MemberExpression' }>): boolean {
    const member = this.#wrapped(written)
    const call = this.#parents.get(member)
    if (call?.type !== 'CallExpression' || call.callee !== member) return true
    const name = methodName(written)
    const use = this.#parents.get(this.#wrapped(call))?.type
    if (givesItself(name)) return use === 'ExpressionStatement'
    return !givesView(name) || use === 'SpreadElement' || use === 'ForOfStatement'
  }

  #staysInCall(node: Node, call: Extract<Node, { type: 'CallExpression' }>, binding: Binding): boolean {
    const index = (call.arguments as readonly Node[]).indexOf(node)
    const callee = unwrapped(call.callee)
    const others = call.arguments.filter((one) => unwrapped(one).type === 'Identifier')
    if (index < 0 || others.filter((one) => this.#module.bindingOf(unwrapped(one)) === binding).length > 1) return false
    const global = this.#globalName(callee)
    if (global === 'Object.assign') return index === 0 && this.#parents.get(call)?.type === 'ExpressionStatement'
    if (global !== undefined) return isPureFunction(global)
    const called = callee.type === 'Identifier' ? this.#module.functionNamed(callee) : undefined
    const parameter = called?.params[index]
    const given = parameter?.type === 'Identifier' ? this.#module.bindingOf(parameter) : undefined
    return given !== undefined && !given.assigned && this.isKept(given)
  }

  /** `Math.max`, if no variable of that name is around. */
  #globalName(callee: Node): string | undefined {
    if (callee.type === 'Identifier') return this.#isGlobal(callee) ? callee.name : undefined
    if (callee.type !== 'MemberExpression' || callee.computed || callee.object.type !== 'Identifier') return undefined
    return this.#isGlobal(callee.object) ? `${callee.object.name}.${methodName(callee)}` : undefined
  }

  #isGlobal(identifier: Node): boolean {
    return this.#module.bindingOf(identifier) === undefined
  }

  #namesOf(binding: Binding): readonly Node[] {
    return this.#names.get(binding) ?? []
  }

  #functionAround(node: Node): Node | undefined {
    let around = this.#parents.get(node)
    while (around !== undefined && !isFunction(around)) around = this.#parents.get(around)
    return around
  }

  /** With the parentheses and types around it. */
  #wrapped(node: Node): Node {
    const parent = this.#parents.get(node)
    return parent !== undefined && unwrapped(parent) === unwrapped(node) ? this.#wrapped(parent) : node
  }
}

function isPrimitive({ type }: Node): boolean {
  return type === 'Literal' || type === 'TemplateLiteral' || type === 'Identifier'
}

export function methodName({ property, computed }: Extract<Node, { type: 'MemberExpression' }>): string {
  return !computed && property.type === 'Identifier' ? property.name : ''
}
