/**
 * Constructs that cannot be checked as parts of an object: what a generator cannot express, or hides accesses. Most stand in
 * a function, and do no harm unless an operation calls it: the function is left to refuse when that happens. What
 * belongs to a class or to the module itself is refused when the file is loaded.
 */
import type { ArrowFunctionExpression, Class, Function as FunctionNode, Node } from 'oxc-parser'
import type { Diagnostic } from '../../../core/diagnostic.ts'
import { type ParsedSource, placeIn } from '../parse.ts'
import { isClass, isFunction, isReference } from '../syntax.ts'
import { type Bindings, LexicalScope } from './bindings.ts'
import { declareVars } from './scope-declarations.ts'
import { unwrapped, valueChildren } from './tree.ts'

export interface Refusal {
  readonly construct: string
  readonly hint: string
  readonly offset: number
}

export interface Refusals {
  /** By the innermost function around the construct; the first one of each. */
  readonly functions: ReadonlyMap<Node, Refusal>
  /** What stands in no function. */
  readonly others: readonly Refusal[]
}

export function refusalsIn({ program }: ParsedSource, bindings: Bindings): Refusals {
  const finder = new RefusalFinder(bindings)
  finder.visit(program, undefined)
  return finder
}

export function refusalDiagnostic(source: ParsedSource, { construct, hint, offset }: Refusal): Diagnostic {
  return { code: 'E307', message: `${construct} cannot be checked`, hint, place: placeIn(source, offset) }
}

type Surrounding = 'module' | 'arrow' | 'function' | 'constructor' | 'literal method' | 'initializer'

class RefusalFinder implements Refusals {
  readonly functions = new Map<Node, Refusal>()
  readonly others: Refusal[] = []
  readonly #bindings: Bindings
  /** The innermost function; nothing outside of functions, and where fields get their values. */
  #function: Node | undefined
  /** Innermost last. */
  readonly #around: Surrounding[] = ['module']

  constructor(bindings: Bindings) {
    this.#bindings = bindings
  }

  visit(node: Node, parent: Node | undefined): void {
    const surrounding = surroundingOf(node, parent)
    const outer = this.#function
    // The value of a field stands inside of what gives the field its value; a function stands outside of itself.
    if (surrounding !== 'initializer') this.#refuseNode(node, parent)
    if (surrounding !== undefined) {
      this.#around.push(surrounding)
      this.#function = isFunction(node) ? node : undefined
    }
    if (surrounding === 'initializer') this.#refuseNode(node, parent)
    for (const child of valueChildren(node)) this.visit(child, node)
    if (surrounding !== undefined) this.#around.pop()
    this.#function = outer
  }

  #refuseNode(node: Node, parent: Node | undefined): void {
    if (isFunction(node)) this.#refuseSecondVariable(node)
    if ('decorators' in node && (node.decorators?.length ?? 0) > 0) {
      this.#refuse(node, 'a decorator', 'write out what the decorator does')
    }
    if (isClass(node)) this.#refuseMembers(node)
    if (this.#around.at(-1) === 'module') this.#refuseAtTop(node)
    else this.#refuseInside(node, parent)
    this.#refuseLexical(node)
  }

  /**
   * Where parameters have expressions, `var` in the body declares other variables than those that the expressions see
   * (ECMA-262 §10.2.11, from step 28 on). Here they are one, which is the same unless code notices.
   */
  #refuseSecondVariable(node: FunctionNode | ArrowFunctionExpression): void {
    const scope = this.#bindings.scopes.get(node)
    if (scope === undefined || node.body?.type !== 'BlockStatement' || this.functions.has(node)) return
    const { start } = node.body
    const ofBody = new LexicalScope('function', node, scope.region, undefined)
    declareVars(ofBody, node.body.body)
    for (const [name, { offset }] of ofBody.bindings) {
      const binding = scope.bindings.get(name)
      if (binding === undefined) continue
      const isSeen =
        binding.kind === 'parameter'
          ? binding.assigned && [...binding.users].some((user) => user.node.start < start)
          : binding.firstUse < start
      if (!isSeen) continue
      const construct = `var ${name}, which the value of a parameter does not mean by that name,`
      this.functions.set(node, { construct, hint: 'give the variable another name', offset })
      return
    }
  }

  #refuseMembers({ body }: Class): void {
    for (const member of body.body) {
      if (member.type === 'AccessorProperty') this.#refuse(member, 'an accessor field', 'write a getter and a setter')
      if (member.type !== 'MethodDefinition' || !member.computed || isRepeatable(member.key)) continue
      this.#refuse(member.key, 'a method with a computed name', 'give the name a constant first')
    }
  }

  #refuseAtTop(node: Node): void {
    if (node.type === 'TSModuleDeclaration') this.#refuse(node, 'a namespace', 'move its contents to a module')
    if (node.type !== 'Program') return
    for (const binding of this.#bindings.moduleScope.bindings.values()) {
      if (!binding.isExported || !binding.assigned || binding.kind === 'function') continue
      const hint = 'export a function that reads it'
      const construct = `the exported variable ${binding.name}, which is assigned,`
      this.others.push({ construct, hint, offset: binding.offset })
    }
  }

  #refuseInside(node: Node, parent: Node | undefined): void {
    switch (node.type) {
      case 'YieldExpression':
        if (node.delegate && this.#function !== undefined && isFunction(this.#function) && this.#function.async) {
          this.#refuse(node, 'yield* in an async generator', 'loop with for await, and yield each element')
        }
        return
      case 'VariableDeclaration':
        if (node.kind.endsWith('using')) this.#refuse(node, node.kind, 'use try and finally')
        return
      case 'WithStatement':
        this.#refuse(node, 'with', 'name the object')
        return
      case 'CallExpression':
        if (node.callee.type === 'Identifier' && node.callee.name === 'eval') {
          this.#refuse(node, 'eval', 'write the code as a function')
        }
        return
      case 'JSXElement':
      case 'JSXFragment':
        this.#refuse(node, 'JSX', 'keep it out of the class under check')
        return
      case 'Property':
        if (node.kind !== 'init' && node.computed && !isRepeatable(node.key)) {
          this.#refuse(node.key, 'an accessor with a computed name', 'give the name a constant first')
        }
        return
      case 'AssignmentExpression':
        this.#refuseSuperTarget(node.left)
        return
      case 'UpdateExpression':
        this.#refuseSuperTarget(node.argument)
        return
      case 'ForStatement':
        this.#refuseLoopHead(node)
        return
      case 'SwitchCase':
        for (const statement of node.consequent) {
          if (statement.type !== 'FunctionDeclaration') continue
          this.#refuse(statement, 'a function declared in a case of a switch', 'put the case into braces')
        }
        return
      default:
        if (node.type === 'Identifier' && node.name === 'arguments' && this.#around.at(-1) === 'arrow') {
          if (isReference(node, parent)) this.#refuse(node, 'arguments in an arrow function', 'use a rest parameter')
        }
    }
  }

  #refuseSuperTarget(target: Node): void {
    const node = unwrapped(target)
    if (node.type === 'MemberExpression' && node.object.type === 'Super') {
      this.#refuse(node, 'an assignment to a property of super', 'assign to this')
    }
  }

  /** A function made in the head of a loop would see variables that are not those of the first round. */
  #refuseLoopHead({ init }: Extract<Node, { type: 'ForStatement' }>): void {
    if (init?.type !== 'VariableDeclaration') return
    for (const { init: value } of init.declarations) {
      const node = value === null ? undefined : unwrapped(value)
      if (node === undefined || !isFunction(node)) continue
      const free = this.#bindings.regions.get(node)?.free ?? []
      if (
        [...free].some(
          ({ isBoxed, scope }) => isBoxed && scope.kind === 'for' && scope.start <= node.start && node.end <= scope.end,
        )
      ) {
        this.#refuse(
          node,
          'a function in the head of a loop that uses variables of the loop',
          'make it before the loop',
        )
      }
    }
  }

  #refuseLexical(node: Node): void {
    const innermost = this.#around.at(-1)
    if (node.type === 'Super' && (innermost === 'arrow' || innermost === 'literal method')) {
      const place = innermost === 'arrow' ? 'an arrow function' : 'a method of an object literal'
      this.#refuse(node, `super in ${place}`, 'call a method of this that uses super')
    }
    const isNewTarget = node.type === 'MetaProperty' && node.meta.name === 'new'
    if (isNewTarget && innermost !== 'constructor') this.#refuse(node, 'new.target', 'use it in constructors only')
  }

  #refuse({ start }: Node, construct: string, hint: string): void {
    const refusal = { construct, hint, offset: start }
    if (this.#function === undefined) this.others.push(refusal)
    else if (!this.functions.has(this.#function)) this.functions.set(this.#function, refusal)
  }
}

/** True if evaluating the key of a method a second time gives the same key and does nothing else. */
function isRepeatable(key: Node): boolean {
  if (key.type === 'Literal' || key.type === 'Identifier') return true
  if (key.type === 'TemplateLiteral') return key.expressions.length === 0
  // `Symbol.for('…')`, which is the same symbol every time.
  if (key.type === 'CallExpression')
    return isSymbolFor(key.callee) && key.arguments.every(({ type }) => type === 'Literal')
  return key.type === 'MemberExpression' && !key.computed && isRepeatable(key.object)
}

function isSymbolFor(callee: Node): boolean {
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return false
  return callee.object.type === 'Identifier' && callee.object.name === 'Symbol' && callee.property.name === 'for'
}

function surroundingOf(node: Node, parent: Node | undefined): Surrounding | undefined {
  if (node.type === 'StaticBlock') return 'initializer'
  if (isFunction(node)) {
    if (node.type === 'ArrowFunctionExpression') return 'arrow'
    if (parent?.type === 'MethodDefinition' && parent.kind === 'constructor') return 'constructor'
    return parent?.type === 'Property' && parent.method ? 'literal method' : 'function'
  }
  return parent?.type === 'PropertyDefinition' && parent.value === node ? 'initializer' : undefined
}
