/**
 * Local computation that decides nothing: a function, named by its text, of the variables it reads. What it changes in place is
 * assigned afterwards, so that no later expression is taken for equal to an earlier one.
 */
import type { Node } from 'oxc-parser'
import { assignedBy, type Expression, partsOf, statementsOf } from '../../../program/icet.ts'
import type { Binding } from '../access/bindings.ts'
import { isTypeOnly, unwrapped, valueChildren } from '../access/tree.ts'
import { type FunctionLike, isFunction, isReference } from '../syntax.ts'
import type { Frame, Meaning } from './meaning.ts'
import { changedIn, rootOf } from './modules.ts'
import { asValue, boundMeaning, expressionOf, localised, meaningOf, notPerformed, refuseShared } from './names.ts'
import { notRepeatable, outside } from './refusal.ts'
import { inFrame, type Target, type Translator } from './translator.ts'

/** The value of an expression about which nothing is known. */
export function opaque(translator: Translator, node: Node, target?: Target): Meaning {
  const { inputs, changed, text } = survey(translator, node)
  const expression: Expression = { kind: 'opaque', text, inputs }
  if (changed.size === 0) return asValue(translator, expression)
  const result = translator.variableFor(target, 'result')
  translator.assign(node, result, expression)
  assignChanged(translator, node, text, inputs, [...changed])
  return asValue(translator, { kind: 'variable', name: result })
}

/** A statement without operations, whose variables afterwards are all that matters. */
export function opaqueStatement(translator: Translator, node: Node): void {
  const { inputs, changed, text } = survey(translator, node)
  assignChanged(translator, node, text, inputs, [...changed])
}

function assignChanged(
  translator: Translator,
  node: Node,
  text: string,
  inputs: readonly Expression[],
  changed: readonly (readonly [string, string])[],
): void {
  const [only, ...more] = changed
  if (only === undefined) return
  if (more.length === 0) {
    translator.assign(node, only[0], { kind: 'opaque', text: `${only[1]} after ${text}`, inputs })
    return
  }
  // All at once: each new value is a function of the old ones.
  const after = translator.fresh('after')
  translator.assign(node, after, { kind: 'opaque', text: `after ${text}`, inputs })
  for (const [variable, name] of changed) {
    translator.assign(node, variable, { kind: 'field', of: { kind: 'variable', name: after }, name })
  }
}

interface Survey {
  readonly inputs: readonly Expression[]
  /** Variables of the process and how the source calls them. */
  readonly changed: ReadonlyMap<string, string>
  readonly text: string
}

function survey(translator: Translator, node: Node): Survey {
  const surveyor = new Surveyor(translator, node)
  surveyor.visit(node, undefined)
  const { module } = translator.frame
  const text = [oneLine(module.text(node)), ...surveyor.functions].join(' with ')
  return { inputs: [...surveyor.inputs.values()], changed: surveyor.changed, text }
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

class Surveyor {
  /** By variable, or by node for a value without one; in the order they were met, which the opaque term keeps. */
  readonly inputs = new Map<Binding | Node, Expression>()
  /** See `Survey`. */
  readonly changed = new Map<string, string>()
  /** Functions inside other functions: the text of a call does not tell which one is meant. */
  readonly functions: string[] = []
  readonly #translator: Translator
  /** Code that is being looked at, the innermost last. Variables declared inside of it are not inputs. */
  readonly #inside: { readonly start: number; readonly end: number; readonly frame: Frame }[]

  constructor(translator: Translator, node: Node) {
    this.#translator = translator
    this.#inside = [{ start: node.start, end: node.end, frame: translator.frame }]
  }

  visit(node: Node, parent: Node | undefined): void {
    if (isTypeOnly(node)) return
    switch (node.type) {
      case 'YieldExpression':
      case 'AwaitExpression':
        this.#operation(node)
        return
      case 'ThrowStatement':
      case 'TryStatement':
        this.#refuse(node, node.type === 'ThrowStatement' ? 'throw inside a computation' : 'try')
        return
      case 'ThisExpression':
        this.#refuse(node, 'this')
        return
      case 'Identifier':
        if (isReference(node, parent)) this.#use(node)
        return
      case 'MemberExpression':
        if (this.#isLengthOfSet(node)) return
        this.#refuseRandom(node)
        break
    }
    this.#noteChanges(node)
    for (const child of valueChildren(node)) this.visit(child, node)
  }

  #operation(node: Node): void {
    if (this.#inside.length > 1 || this.#isInFunction(node)) this.#refuse(node, 'an operation inside a callback')
    const translator = this.#translator
    const { out } = translator
    const before = out.length
    const expression = expressionOf(translator, node, translator.value(node))
    const assigned = new Set([...statementsOf(out.slice(before))].map(assignedBy))
    for (const input of this.inputs.values()) {
      const isStale = [...partsOf(input)].some((part) => part.kind === 'variable' && assigned.has(part.name))
      if (isStale) this.#refuse(node, 'an operation that changes what the computation around it has read')
    }
    this.inputs.set(node, expression)
  }

  #isInFunction(node: Node): boolean {
    const [top] = this.#inside
    const { regions } = this.#translator.frame.module.bindings
    for (const region of regions.values()) {
      const { start, end } = region.node
      const isAround = start <= node.start && node.end <= end && isFunction(region.node)
      if (isAround && top !== undefined && top.start <= start && end <= top.end) return true
    }
    return false
  }

  #refuse(node: Node, construct: string): never {
    const hint = 'perform operations, and fail, in the process itself: its loops and conditions may hold them'
    return this.#translator.refuse(node, outside(construct, hint))
  }

  #isLengthOfSet(node: Extract<Node, { type: 'MemberExpression' }>): boolean {
    const object = unwrapped(node.object)
    if (object.type !== 'Identifier' || node.computed || node.property.type !== 'Identifier') return false
    if (node.property.name !== 'length' || this.#isOwn(object)) return false
    if (meaningOf(this.#translator, object).kind !== 'set') return false
    this.inputs.set(node, expressionOf(this.#translator, node, this.#translator.value(node)))
    return true
  }

  #refuseRandom(node: Extract<Node, { type: 'MemberExpression' }>): void {
    const { module } = this.#translator.frame
    if (module.text(node) !== 'Math.random' || module.bindingOf(node.object) !== undefined) return
    this.#translator.refuse(node, notRepeatable('Math.random'))
  }

  #isOwn(node: Node): boolean {
    const { frame } = this.#translator
    const binding = frame.module.bindingOf(node)
    if (binding === undefined || binding.isTopLevel || frame.get(binding) !== undefined) return false
    return this.#inside.some(
      ({ start, end, frame: { module } }) => module === frame.module && start <= binding.offset && binding.offset < end,
    )
  }

  #use(node: Node & { readonly name: string }): void {
    const translator = this.#translator
    const { frame } = translator
    const binding = frame.module.bindingOf(node)
    if (binding === undefined) {
      meaningOf(translator, node)
      return
    }
    if (this.#isOwn(node)) return
    const meaning = boundMeaning(translator, node, binding, frame)
    switch (meaning.kind) {
      case 'function':
        this.#function(meaning.node, meaning.frame, binding)
        return
      case 'foreign':
      case 'namespace':
        return
      case 'shared':
        refuseShared(translator, node, meaning)
        return
      case 'operation':
        translator.refuse(node, notPerformed(meaning.name))
        return
      default:
        this.inputs.set(binding, expressionOf(translator, node, localised(translator, node, meaning)))
    }
  }

  /** What a function reads and changes counts as read and changed by the code that mentions it. */
  #function(node: FunctionLike, frame: Frame, binding: Binding): void {
    if (this.#inside.some((one) => one.start === node.start && one.frame.module === frame.module)) return
    const isMain = this.#translator.program.modules.isMain(frame.module)
    if (!binding.isTopLevel) this.functions.push(oneLine(frame.module.text(node)))
    else if (!isMain) this.functions.push(`${binding.name} of ${frame.module.source.file}`)
    this.#inside.push({ start: node.start, end: node.end, frame })
    inFrame(this.#translator, frame, () => this.visit(node, undefined))
  }

  #noteChanges(node: Node): void {
    for (const target of changedIn(node)) this.#change(rootOf(target), target)
    if (node.type !== 'CallExpression') return
    const callee = unwrapped(node.callee)
    if (callee.type !== 'Identifier' || this.#isOwn(callee)) return
    const meaning = meaningOf(this.#translator, callee)
    if (meaning.kind !== 'function') return
    const { module } = meaning.frame
    for (const [index, parameter] of meaning.node.params.entries()) {
      const argument = node.arguments[index]
      const binding = module.bindingOf(parameter)
      if (argument !== undefined && binding !== undefined && module.mutated.has(binding)) {
        this.#change(rootOf(argument), argument)
      }
    }
  }

  #change(root: Node, target: Node): void {
    if (root.type !== 'Identifier' || this.#isOwn(root)) return
    const translator = this.#translator
    const { frame } = translator
    const binding = frame.module.bindingOf(root)
    if (binding === undefined) return
    const meaning = localised(translator, root, boundMeaning(translator, root, binding, frame))
    if (meaning.kind === 'shared') refuseShared(translator, target, meaning)
    if (meaning.kind === 'foreign' || meaning.kind === 'namespace' || meaning.kind === 'operation') return
    if (meaning.kind === 'value' && meaning.expression.kind === 'variable') {
      // Messages are frozen, whatever their methods are called.
      if (target.type !== 'Identifier' && translator.process.messages.has(meaning.expression.name)) return
      this.changed.set(meaning.expression.name, root.name)
      // What is left of an object depends on what it was.
      if (target.type !== 'Identifier') this.inputs.set(binding, meaning.expression)
    } else if (meaning.kind === 'set') expressionOf(translator, root, meaning)
    else if (target.type === 'Identifier') this.#refuse(target, 'assigning a name that stands for something fixed')
  }
}
