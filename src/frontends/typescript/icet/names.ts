/** What an identifier means where it stands: lexically, through imports, and seen from the process that uses it. */
import type { Node } from 'oxc-parser'
import { type Expression, partsOf } from '../../../program/icet.ts'
import type { Binding } from '../access/bindings.ts'
import { unwrapped } from '../access/tree.ts'
import { type FunctionLike, isClass, isFunction } from '../syntax.ts'
import { countExpression, type Meaning, type MeaningOf, mapValues, NameFrame, undefinedValue } from './meaning.ts'
import type { ImportedName, Module, Modules } from './modules.ts'
import { sharedObjects } from './operation-names.ts'
import { isKnownGlobal } from './pure-methods.ts'
import { notAnAddress, notRepeatable, outside, Refusal, sharedVariable } from './refusal.ts'
import { either } from './terms.ts'
import { isSimple, type Translator } from './translator.ts'

export function meaningOf(translator: Translator, identifier: Node & { readonly name: string }): Meaning {
  const { frame } = translator
  const binding = frame.module.bindingOf(identifier)
  if (binding === undefined) return globalMeaning(translator, identifier)
  return localised(translator, identifier, boundMeaning(translator, identifier, binding, frame))
}

/** Not yet seen from the process that uses it. */
export function boundMeaning(
  translator: Translator,
  node: Node & { readonly name: string },
  binding: Binding,
  frame: NameFrame,
): Meaning {
  const known = frame.get(binding)
  if (known !== undefined) return known
  if (binding.isTopLevel) return moduleMeaning(translator.program.modules, frame.module, binding)
  const hint = 'spawn the process after this value is there, and pass it as an argument of spawn(…)'
  return translator.refuse(node, sharedVariable(`"${node.name}", which has no value yet,`, hint))
}

function globalMeaning(translator: Translator, identifier: Node & { readonly name: string }): Meaning {
  const { name } = identifier
  if (name === 'undefined') return undefinedValue
  if (name === 'NaN' || name === 'Infinity') return literal(Number(name))
  if (clocks.has(name)) translator.refuse(identifier, notRepeatable(name))
  if (isKnownGlobal(name)) return { kind: 'foreign', text: name, isGlobal: true }
  const hint = 'use what the program declares, and Math, Number, String, Array, Object, Map, Set and JSON'
  return translator.refuse(identifier, outside(`the global ${name}`, hint))
}

/** Globals that give something else each time. */
const clocks: ReadonlySet<string> = new Set(
  'Date performance setTimeout setInterval setImmediate queueMicrotask crypto fetch process'.split(' '),
)

/** The name of a function expression means the function inside of it, and nothing outside. */
export function functionMeaning(node: FunctionLike, frame: NameFrame): MeaningOf<'function'> {
  if (node.type !== 'FunctionExpression' || node.id === null) return { kind: 'function', node, frame }
  const own = new NameFrame(frame.module, frame)
  const meaning = { kind: 'function', node, frame: own } as const
  const binding = frame.module.bindingOf(node.id)
  if (binding !== undefined) own.set(binding, meaning)
  return meaning
}

function moduleMeaning(modules: Modules, module: Module, binding: Binding): Meaning {
  const known = module.frame.get(binding)
  if (known !== undefined) return known
  // Against constants that mention each other; nothing of the sort can be evaluated.
  module.frame.set(binding, { kind: 'foreign', text: binding.name })
  const meaning = topLevelMeaning(modules, module, binding)
  module.frame.set(binding, meaning)
  return meaning
}

function topLevelMeaning(modules: Modules, module: Module, binding: Binding): Meaning {
  const imported = module.imports.get(binding)
  if (imported !== undefined) {
    const meaning = importedMeaning(modules, module, imported)
    const isData = meaning.kind === 'object' || meaning.kind === 'list'
    return isData && module.mutated.has(binding) ? shared(binding) : meaning
  }
  const declaredEnum = module.enums.get(binding)
  if (declaredEnum !== undefined) return enumMeaning(declaredEnum)
  const foreign: Meaning = {
    kind: 'foreign',
    text: modules.isMain(module) ? binding.name : `${binding.name} of ${module.source.file}`,
  }
  if (binding.kind === 'function' && binding.own !== undefined && isFunction(binding.own)) {
    return functionMeaning(binding.own, module.frame)
  }
  const declarator = module.declarators.get(binding)
  if (declarator === undefined || declarator.init === null) return binding.assigned ? shared(binding) : foreign
  if (isAssigned(module, binding)) return shared(binding)
  if (declarator.id.type !== 'Identifier') return foreign
  const meaning = constant(modules, module, declarator.init) ?? foreign
  // Code that runs when the file is loaded may change it under another name.
  const mayChange = (meaning.kind === 'object' || meaning.kind === 'list') && module.runsCode
  return mayChange && !module.ownership.isKept(binding) ? shared(binding) : meaning
}

function isAssigned(module: Module, binding: Binding): boolean {
  // `var` with a value counts as assigned; that alone shares nothing.
  return (binding.assigned && binding.kind !== 'var') || module.mutated.has(binding)
}

/** A variable of the module that some code assigns or changes: processes could talk through it. */
function shared(binding: Binding): Meaning {
  return { kind: 'shared', what: `"${binding.name}"` }
}

function importedMeaning(modules: Modules, module: Module, { specifier, name }: ImportedName): Meaning {
  if (specifier === 'allways') {
    if (name !== undefined) return { kind: 'operation', name }
    return { kind: 'namespace', member: (member) => ({ kind: 'operation', name: member }) }
  }
  // Locks and atomics of `allways/sync` are shared memory by their nature.
  if (specifier.startsWith('allways/')) return { kind: 'shared', what: `${name ?? '*'} of ${specifier}` }
  const target = modules.imported(specifier, module)
  if (target === undefined) return { kind: 'foreign', text: `${name ?? '*'} of ${specifier}` }
  if (name === undefined) return { kind: 'namespace', member: (member) => exportMeaning(modules, target, member) }
  return exportMeaning(modules, target, name) ?? { kind: 'foreign', text: `${name} of ${specifier}` }
}

function exportMeaning(modules: Modules, module: Module, name: string): Meaning | undefined {
  const exported = module.exports.get(name)
  if (exported === undefined) return undefined
  if (!('type' in exported)) return importedMeaning(modules, module, exported)
  if (isFunction(exported)) return functionMeaning(exported, module.frame)
  if (exported.type !== 'Identifier') return constant(modules, module, exported)
  const binding = module.bindings.moduleScope.bindings.get(exported.name)
  return binding === undefined ? undefined : moduleMeaning(modules, module, binding)
}

/** As TypeScript numbers members: one more than the one before, and unknown after a text or a computed value. */
function enumMeaning(node: Node & { readonly type: 'TSEnumDeclaration' }): Meaning {
  let next: number | undefined = 0
  const values = new Map<string, Meaning>()
  for (const { id, initializer } of node.body.members) {
    const name = id.type === 'Identifier' ? id.name : id.type === 'Literal' ? String(id.value) : ''
    const given: unknown = initializer === null ? next : initializer.type === 'Literal' ? initializer.value : undefined
    if (typeof given === 'string' || typeof given === 'number') values.set(name, literal(given))
    next = typeof given === 'number' ? given + 1 : undefined
  }
  return { kind: 'namespace', member: (name) => values.get(name) }
}

/** What is written down as a constant outside all processes; undefined if it takes computing. */
export function constant(modules: Modules, module: Module, written: Node): Meaning | undefined {
  const node = unwrapped(written)
  if (isFunction(node)) return functionMeaning(node, module.frame)
  if (isClass(node)) return undefined
  switch (node.type) {
    case 'Literal':
      return isPlainLiteral(node) ? literal(node.value) : undefined
    case 'UnaryExpression': {
      const operand = constant(modules, module, node.argument)
      const value =
        operand?.kind === 'value' && operand.expression.kind === 'literal' ? operand.expression.value : undefined
      return node.operator === '-' && typeof value === 'number' ? literal(-value) : undefined
    }
    case 'Identifier': {
      const binding = module.bindingOf(node)
      if (binding === undefined) return node.name === 'undefined' ? undefinedValue : undefined
      return binding.isTopLevel ? moduleMeaning(modules, module, binding) : undefined
    }
    case 'ArrayExpression': {
      const elements = node.elements.map((element) =>
        element === null ? undefined : constant(modules, module, element),
      )
      return elements.every((element) => element !== undefined) ? { kind: 'list', elements } : undefined
    }
    case 'ObjectExpression':
      return constantObject(modules, module, node)
    case 'CallExpression': {
      const callee = constant(modules, module, node.callee)
      if (callee?.kind !== 'operation' || !sharedObjects.has(callee.name)) return undefined
      return { kind: 'shared', what: `${callee.name}()` }
    }
    case 'NewExpression': {
      const callee = constant(modules, module, node.callee)
      return callee?.kind === 'shared' ? callee : undefined
    }
    case 'MemberExpression': {
      const object = constant(modules, module, node.object)
      if (node.computed || node.property.type !== 'Identifier') return undefined
      if (object?.kind === 'namespace') return object.member(node.property.name)
      return object?.kind === 'object' ? object.fields.get(node.property.name) : undefined
    }
    default:
      return undefined
  }
}

function constantObject(
  modules: Modules,
  module: Module,
  node: Extract<Node, { type: 'ObjectExpression' }>,
): Meaning | undefined {
  const fields = new Map<string, Meaning>()
  for (const property of node.properties) {
    if (property.type !== 'Property' || property.kind !== 'init') return undefined
    const name = keyName(property)
    const value = constant(modules, module, property.value)
    if (name === undefined || isConversion(property) || value === undefined) return undefined
    fields.set(name, value)
  }
  return { kind: 'object', fields }
}

/** The name of a property if it is written down. */
export function keyName({ key, computed }: { readonly key: Node; readonly computed: boolean }): string | undefined {
  if (key.type === 'Literal') return String(key.value)
  return !computed && key.type === 'Identifier' ? key.name : undefined
}

/** A name that JavaScript looks up by itself. */
export function isConversion(property: { readonly key: Node; readonly computed: boolean }): boolean {
  const name = keyName(property)
  return name !== undefined && ['__proto__', 'then', 'toJSON', 'toString', 'valueOf'].includes(name)
}

/** A regular expression or a bigint may have the value null, if the parser cannot make it. */
export function isPlainLiteral(node: Node): node is Node & { readonly value: string | number | boolean | null } {
  return node.type === 'Literal' && !('regex' in node) && !('bigint' in node)
}

export function literal(value: string | number | boolean | null): MeaningOf<'value'> {
  return { kind: 'value', expression: { kind: 'literal', value } }
}

/** An expression of the process that is being translated. */
export function asValue(translator: Translator, expression: Expression): MeaningOf<'value'> {
  const isOwned = [...partsOf(expression)].some(({ kind }) => kind === 'variable' || kind === 'self')
  return { kind: 'value', expression, owner: isOwned ? translator.process.name : undefined }
}

/** A meaning of another process, as the process that is being translated may use it. */
export function localised(translator: Translator, node: Node, meaning: Meaning): Meaning {
  return mapValues(meaning, (one) => {
    const { owner, expression, closed = expression } = one
    if (owner === undefined || owner === translator.process.name) return one
    return { kind: 'value', expression: relocated(translator, node, closed, owner) }
  })
}

/** `self` of the other process is that process by name. Its variables are refused: they would be shared between processes. */
function relocated(translator: Translator, node: Node, expression: Expression, owner: string): Expression {
  const again = (part: Expression) => relocated(translator, node, part, owner)
  switch (expression.kind) {
    case 'variable': {
      const hint = 'pass it as an argument of spawn(…) if it is known at the beginning, or send it in a message'
      return translator.refuse(
        node,
        sharedVariable(`"${translator.frame.module.text(node)}" of process "${owner}"`, hint),
      )
    }
    case 'self':
      return { kind: 'process', name: owner }
    case 'record':
      return { ...expression, fields: expression.fields.map(({ name, value }) => ({ name, value: again(value) })) }
    case 'field':
    case 'not':
      return { ...expression, of: again(expression.of) }
    case 'binary':
      return { ...expression, left: again(expression.left), right: again(expression.right) }
    case 'either': {
      const { condition, then, otherwise } = expression
      return either(again(condition), again(then), again(otherwise))
    }
    case 'opaque':
      return { ...expression, inputs: expression.inputs.map(again) }
    default:
      return expression
  }
}

/** The meaning as data of the term; refuses what can only be called, iterated or performed. */
export function expressionOf(translator: Translator, node: Node, meaning: Meaning): Expression {
  switch (meaning.kind) {
    case 'value':
      return meaning.expression
    case 'list': {
      const fields = meaning.elements.map((element, index) => [String(index), element] as const)
      if (fields.length === 0) return { kind: 'opaque', text: '[]', inputs: [] }
      return recordOf(translator, node, fields)
    }
    case 'object':
      return recordOf(translator, node, [...meaning.fields])
    case 'foreign':
      return { kind: 'opaque', text: meaning.text, inputs: [] }
    case 'set': {
      const hint = 'a set can be iterated with for…of, counted with .length, given to choose(…) and to spawn(…)'
      const what = `the set of processes "${meaning.name}" is used as a value`
      return translator.refuse(node, notAnAddress(what, hint))
    }
    case 'shared':
      return refuseShared(translator, node, meaning)
    case 'operation':
      return translator.refuse(node, notPerformed(meaning.name))
    case 'function':
    case 'namespace': {
      const hint = 'call it where it is needed: yield* f(…)'
      return translator.refuse(node, outside('a function that is passed around as a value', hint))
    }
    case 'broken':
      throw new Refusal(undefined)
  }
}

export function refuseShared(translator: Translator, node: Node, { what }: MeaningOf<'shared'>): never {
  const hint = 'keep it inside one process, and let the others ask that process with messages'
  return translator.refuse(node, sharedVariable(what, hint))
}

export function notPerformed(name: string) {
  const hint = `write yield* ${name}(…), or await ${name}(…) in an async function, where it is to happen`
  return outside(`${name} as a value, which is not performed here,`, hint)
}

function recordOf(translator: Translator, node: Node, fields: readonly (readonly [string, Meaning])[]): Expression {
  return {
    kind: 'record',
    fields: fields.map(([name, field]) => ({ name, value: expressionOf(translator, node, field) })),
  }
}

/** A part of something that has parts; undefined if that is an ordinary value. */
export function memberOf(translator: Translator, node: Node, object: Meaning, name: string): Meaning | undefined {
  const isData = object.kind === 'object' || object.kind === 'list' || object.kind === 'value'
  if (isData && name in Object.prototype) {
    translator.refuse(node, outside(`"${name}", which every object has,`, 'give the field another name'))
  }
  switch (object.kind) {
    case 'namespace':
      return object.member(name) ?? { kind: 'foreign', text: translator.frame.module.text(node) }
    case 'object':
      return object.fields.get(name) ?? undefinedValue
    case 'list':
      if (name === 'length') return literal(object.elements.length)
      return /^\d+$/.test(name) ? (object.elements[Number(name)] ?? undefinedValue) : undefined
    case 'set':
      if (name === 'length') return { kind: 'value', expression: countExpression(object.count) }
      return undefined
    case 'foreign':
      return { kind: 'foreign', text: `${object.text}.${name}`, isGlobal: object.isGlobal }
    case 'value': {
      const { expression, closed } = object
      const record = closed?.kind === 'record' ? closed : expression
      if (record.kind !== 'record') return undefined
      const field = record.fields.find((one) => one.name === name)
      // Of a list, which is a record here.
      if (field === undefined) return name in Array.prototype ? undefined : undefinedValue
      return record === closed && !isSimple(field.value) ? undefined : asValue(translator, field.value)
    }
    case 'shared':
      return refuseShared(translator, node, object)
    default:
      return undefined
  }
}
