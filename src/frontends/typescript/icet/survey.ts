/**
 * What a computation reads and changes. It may be made of what the table of forms lets in (`forms.ts`), may call functions of the
 * program and those of the language that are known to change nothing else (`pure-methods.ts`), and may change what only one name
 * holds (`ownership.ts`). Everything else is refused.
 */
import type { Node } from 'oxc-parser'
import type { Expression } from '../../../program/icet.ts'
import type { Binding } from '../access/bindings.ts'
import { evaluatedWith, isTypeOnly, unwrapped, valueChildren } from '../access/tree.ts'
import { type FunctionLike, isFunction, isReference } from '../syntax.ts'
import { assignedSince, mentions } from './conditions.ts'
import { formOf, notRead, refusedInside } from './forms.ts'
import type { NameFrame } from './meaning.ts'
import { changedIn, type Module, rootOf } from './modules.ts'
import { boundMeaning, expressionOf, localised, meaningOf, notPerformed, refuseShared } from './names.ts'
import { methodName } from './ownership.ts'
import { isChangingMethod, isKnownClass, isPureFunction, isPureMethod, parametersGiven } from './pure-methods.ts'
import { notRepeatable, outside } from './refusal.ts'
import { inFrame, type Translator } from './translator.ts'

/** What a computation reads, changes and is called. */
export interface Survey {
  readonly inputs: readonly Expression[]
  /** Variables of the process and how the source calls them. */
  readonly changed: ReadonlyMap<string, string>
  readonly text: string
}

export function survey(translator: Translator, node: Node): Survey {
  const surveyor = new Surveyor(translator, node)
  surveyor.visit(node, undefined)
  const { module } = translator.frame
  const text = [module.line(node), ...surveyor.functions].join(' with ')
  return { inputs: [...surveyor.inputs.values()], changed: surveyor.changed, text }
}

const inProcess = 'perform operations, and fail, in the process itself: its loops and conditions may hold them'
const unknown = 'compute with plain values, functions of the program, and the methods and globals that the guide lists'

class Surveyor {
  /** By variable, or by node for a value without one; in the order they were met, which the opaque term keeps. */
  readonly inputs = new Map<Binding | Node, Expression>()
  /** See `Survey`. */
  readonly changed = new Map<string, string>()
  /** Functions inside other functions: the text of a call does not tell which one is meant. */
  readonly functions: string[] = []
  readonly #translator: Translator
  /** Code that is being looked at, the innermost last. Variables declared inside of it are not inputs. */
  readonly #inside: { readonly start: number; readonly end: number; readonly frame: NameFrame }[]

  constructor(translator: Translator, node: Node) {
    this.#translator = translator
    this.#inside = [{ start: node.start, end: node.end, frame: translator.frame }]
  }

  visit(written: Node, parent: Node | undefined): void {
    const node = unwrapped(written)
    if (isTypeOnly(node)) return
    this.#refuseForm(node, parent)
    if (performs(node)) {
      const isInFunction = this.#inside.length > 1 || this.#isInFunction(node)
      const isOperation = node.type === 'YieldExpression' || node.type === 'AwaitExpression'
      if (isInFunction && isOperation) this.#refuse(node, 'an operation inside a callback')
      if (!isInFunction && isTranslated(node)) {
        this.#perform(node)
        return
      }
      if (!isInFunction && (!formOf(node).inOrder || isShortCircuit(node)))
        this.#refuse(node, 'an operation that is not always performed', 'decide with if (…) { … } whether it is')
    }
    switch (node.type) {
      case 'Identifier':
        if (isReference(node, parent)) this.#use(node, parent)
        return
      case 'MemberExpression':
        if (this.#isKnownMember(node, parent)) return
        break
      case 'CallExpression':
        this.#refuseCallee(node)
        break
      case 'NewExpression':
        if (!isKnownClass(this.#globalName(unwrapped(node.callee)) ?? ''))
          this.#refuse(node, 'new of this class', unknown)
    }
    for (const child of valueChildren(node)) this.visit(child, node)
    this.#noteChanges(node)
  }

  /** What the table of forms lets into a computation, except for a few that depend on more than their form. */
  #refuseForm(node: Node, parent: Node | undefined): void {
    if (!formOf(node).computes) {
      if (node.type === 'ThrowStatement') this.#refuse(node, 'throw inside a computation')
      this.#translator.refuse(node, notRead(node))
    }
    const special = refusedInside(node)
    if (special !== undefined) this.#refuse(node, special, unknown)
    if (!isFunction(node) || parent === undefined) return
    const isDeclared =
      node.type === 'FunctionDeclaration' || (parent.type === 'VariableDeclarator' && isConstant(this.#module, parent))
    const isCalled =
      parent.type === 'CallExpression' && (unwrapped(parent.callee) === node || this.#mayGet(parent, node))
    if (!isDeclared && !isCalled)
      this.#refuse(node, 'a function that is kept as data', 'call the function where it stands')
  }

  get #module(): Module {
    return this.#translator.frame.module
  }

  /** Performed before the computation; what has been read before that must still be so, and what changes comes later. */
  #perform(node: Node): void {
    const translator = this.#translator
    const { out } = translator
    const before = out.length
    const expression = expressionOf(translator, node, translator.value(node))
    const assigned = assignedSince(out, before)
    const isStale = [...this.inputs.values()].some((input) => mentions(input, assigned))
    if (isStale || this.changed.size > 0) {
      this.#refuse(node, 'an operation that changes what the computation around it has read')
    }
    this.inputs.set(node, expression)
  }

  #isInFunction(node: Node): boolean {
    const [top] = this.#inside
    for (const region of this.#module.bindings.regions.values()) {
      const { start, end } = region.node
      const isAround = start <= node.start && node.end <= end && isFunction(region.node)
      if (isAround && top !== undefined && top.start <= start && end <= top.end) return true
    }
    return false
  }

  #refuse(node: Node, construct: string, hint = inProcess): never {
    return this.#translator.refuse(node, outside(construct, hint))
  }

  /** Of sets of processes and of namespaces, whose parts are known. */
  #isKnownMember(node: Extract<Node, { type: 'MemberExpression' }>, parent: Node | undefined): boolean {
    const translator = this.#translator
    const object = unwrapped(node.object)
    if (object.type !== 'Identifier' || this.#isOwn(object)) return false
    const found = meaningOf(translator, object)
    const { kind } = found
    const literal = found.kind === 'value' && found.expression.kind === 'literal' ? found.expression.value : ''
    if (!node.optional && (literal === undefined || literal === null))
      this.#refuse(node, `a part of ${literal}`, unknown)
    if (kind !== 'set' && kind !== 'namespace') return false
    const meaning = translator.value(node)
    if (meaning.kind === 'function' && parent?.type === 'CallExpression' && unwrapped(parent.callee) === node) {
      this.#function(meaning.node, meaning.frame, `${this.#module.text(node)} of ${meaning.frame.module.source.file}`)
    } else this.inputs.set(node, expressionOf(translator, node, meaning))
    return true
  }

  /** Functions of the program, and those of the language that are known to change nothing else. */
  #refuseCallee(node: Extract<Node, { type: 'CallExpression' }>): void {
    const callee = unwrapped(node.callee)
    if (isFunction(callee)) return
    const global = this.#globalName(callee)
    if (global !== undefined) {
      if (global === 'Math.random') this.#translator.refuse(callee, notRepeatable(global))
      const isAssign = global === 'Object.assign' && callee.type === 'MemberExpression'
      if (!isPureFunction(global) && !isAssign) this.#refuse(callee, `the function ${global}`, unknown)
      return
    }
    if (callee.type === 'MemberExpression') {
      const object = unwrapped(callee.object)
      const isNamespace =
        object.type === 'Identifier' && !this.#isOwn(object) && meaningOf(this.#translator, object).kind === 'namespace'
      const name = methodName(callee)
      if (isNamespace || isPureMethod(name) || isChangingMethod(name)) return
      this.#refuse(callee, name === '' ? 'a method whose name is computed' : `the method ${name}`, unknown)
    }
    if (callee.type === 'Identifier' && this.#isFunctionName(callee)) return
    this.#refuse(callee, 'calling what is no function of the program', unknown)
  }

  /** The name of a global or of one of its functions, whatever it is called here. */
  #globalName(callee: Node): string | undefined {
    const [object, name] =
      callee.type === 'MemberExpression' ? [unwrapped(callee.object), methodName(callee)] : [callee, undefined]
    if (object.type !== 'Identifier' || this.#isOwn(object)) return undefined
    const meaning = meaningOf(this.#translator, object)
    if (meaning.kind !== 'foreign' || meaning.isGlobal !== true) return undefined
    return name === undefined ? meaning.text : `${meaning.text}.${name}`
  }

  #isFunctionName(node: Node & { readonly name: string }): boolean {
    if (!this.#isOwn(node)) {
      const { kind } = meaningOf(this.#translator, node)
      return kind === 'function' || kind === 'shared' || kind === 'operation'
    }
    const binding = this.#module.bindingOf(node)
    const declarator = binding === undefined ? undefined : this.#module.declarators.get(binding)
    return (
      binding?.kind === 'function' ||
      (declarator?.init != null && isConstant(this.#module, declarator) && isFunction(unwrapped(declarator.init)))
    )
  }

  /** The call runs the function at once, and gives it no more than it is meant to see. */
  #mayGet(call: Extract<Node, { type: 'CallExpression' }>, argument: FunctionLike): boolean {
    const callee = unwrapped(call.callee)
    const most = callee.type === 'MemberExpression' ? parametersGiven(methodName(callee)) : undefined
    const isPlain = argument.params.every(({ type }) => type !== 'RestElement')
    return most !== undefined && isPlain && argument.params.length <= most
  }

  #isOwn(node: Node): boolean {
    const { frame } = this.#translator
    const binding = frame.module.bindingOf(node)
    if (binding === undefined || binding.isTopLevel || frame.get(binding) !== undefined) return false
    return this.#inside.some(
      ({ start, end, frame: { module } }) => module === frame.module && start <= binding.offset && binding.offset < end,
    )
  }

  #use(node: Node & { readonly name: string }, parent: Node | undefined): void {
    const translator = this.#translator
    const { frame } = translator
    const binding = frame.module.bindingOf(node)
    if (binding === undefined) {
      meaningOf(translator, node)
      return
    }
    if (binding.kind === 'arguments') this.#refuse(node, 'arguments', unknown)
    if (this.#isOwn(node)) {
      if (this.#isFunctionName(node)) this.#refuseKept(node, parent, undefined)
      return
    }
    const meaning = boundMeaning(translator, node, binding, frame)
    switch (meaning.kind) {
      case 'function': {
        this.#refuseKept(node, parent, meaning.node)
        const isMain = translator.program.modules.isMain(meaning.frame.module)
        const { file } = meaning.frame.module.source
        const isNamed = binding.isTopLevel && isMain
        const text = binding.isTopLevel ? `${binding.name} of ${file}` : meaning.frame.module.line(meaning.node)
        this.#function(meaning.node, meaning.frame, isNamed ? undefined : text)
        return
      }
      case 'foreign':
        if (meaning.isGlobal !== true && !translator.program.modules.isMain(frame.module))
          this.functions.push(meaning.text)
        return
      case 'namespace':
        this.#refuse(node, 'a module or enum as a value', unknown)
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

  #refuseKept(node: Node, parent: Node | undefined, called: FunctionLike | undefined): void {
    if (parent?.type === 'CallExpression') {
      if (unwrapped(parent.callee) === node || (called !== undefined && this.#mayGet(parent, called))) return
    }
    const isDeclaration = parent?.type === 'VariableDeclarator' && parent.id === node
    if (!isDeclaration && !(parent !== undefined && isFunction(parent)))
      this.#refuse(node, 'a function that is kept as data', 'call the function where it stands')
  }

  /** What a function reads and changes counts as read and changed by the code that mentions it. */
  #function(node: FunctionLike, frame: NameFrame, text: string | undefined): void {
    if (this.#inside.some((one) => one.start === node.start && one.frame.module === frame.module)) return
    if (text !== undefined) this.functions.push(text)
    this.#inside.push({ start: node.start, end: node.end, frame })
    inFrame(this.#translator, frame, () => this.visit(node, undefined))
  }

  #noteChanges(node: Node): void {
    const callee = node.type === 'CallExpression' ? unwrapped(node.callee) : node
    const global = node.type === 'CallExpression' ? this.#globalName(callee) : undefined
    if (global !== undefined && global !== 'Object.assign') return
    for (const target of changedIn(node)) this.#change(rootOf(target), target)
    if (node.type !== 'CallExpression') return
    if (callee.type !== 'Identifier' && callee.type !== 'MemberExpression') return
    const own = callee.type === 'Identifier' && this.#isOwn(callee) ? this.#module.functionNamed(callee) : undefined
    const meaning =
      callee.type === 'Identifier' && own === undefined && !this.#isOwn(callee)
        ? meaningOf(this.#translator, callee)
        : undefined
    const called = own ?? (meaning?.kind === 'function' ? meaning.node : undefined)
    const module = meaning?.kind === 'function' ? meaning.frame.module : this.#module
    for (const [index, parameter] of called?.params.entries() ?? []) {
      const argument = node.arguments[index]
      const binding = module.bindingOf(parameter)
      if (argument === undefined || binding === undefined || !module.mutated.has(binding)) continue
      refuseNotOwned(this.#translator, argument)
      this.#change(rootOf(argument), argument)
    }
  }

  #change(root: Node, target: Node): void {
    const translator = this.#translator
    const { module } = translator.frame
    const binding = root.type === 'Identifier' ? module.bindingOf(root) : undefined
    if (target.type !== 'Identifier') {
      if (binding === undefined && module.ownership.isNew(root)) return
      refuseChange(translator, root, target)
    }
    if (binding === undefined || root.type !== 'Identifier' || this.#isOwn(root)) return
    const meaning = localised(translator, root, boundMeaning(translator, root, binding, translator.frame))
    if (meaning.kind !== 'value' || meaning.expression.kind !== 'variable') {
      this.#refuse(target, 'assigning a name that stands for something fixed')
    }
    // What is left of an object depends on what it was, and that has been read: every target is visited before it is changed.
    this.changed.set(meaning.expression.name, root.name)
  }
}

/** Objects are changed one level deep, through the only name they have (`ownership.ts`). */
function refuseChange(translator: Translator, root: Node, target: Node): void {
  const { module } = translator.frame
  const binding = root.type === 'Identifier' ? module.bindingOf(root) : undefined
  const isDirect =
    target.type === 'Identifier' || (target.type === 'MemberExpression' && unwrapped(target.object) === root)
  if (isDirect && binding !== undefined && !binding.isTopLevel && module.ownership.isOwner(binding)) return
  translator.refuse(target, twoNames)
}

export function refuseNotOwned(translator: Translator, argument: Node): void {
  if (!translator.frame.module.ownership.isOwned(argument)) translator.refuse(argument, twoNames)
}

const twoNames = outside(
  'changing an object that may have two names',
  'change a copy that has one name and is not given away: const copy = [...list], { ...object }; keep inner objects in variables of their own',
)

/** `yield*` or `await`, outside functions in it. */
function performs(node: Node): boolean {
  return [...evaluatedWith(node)].some(({ type }) => type === 'YieldExpression' || type === 'AwaitExpression')
}

/** The term has a form for it, with its conditions. */
function isTranslated(node: Node): boolean {
  switch (node.type) {
    case 'YieldExpression':
    case 'AwaitExpression':
    case 'ConditionalExpression':
    case 'LogicalExpression':
    case 'SequenceExpression':
      return true
    case 'AssignmentExpression':
      return unwrapped(node.left).type === 'Identifier'
    default:
      return false
  }
}

function isShortCircuit(node: Node): boolean {
  return node.type === 'AssignmentExpression' && ['&&=', '||=', '??='].includes(node.operator)
}

function isConstant(module: Module, { id }: Extract<Node, { type: 'VariableDeclarator' }>): boolean {
  return module.bindingOf(id)?.kind === 'const'
}
