/** Declarations and assignments: which names become variables of the process, and which stand for something fixed. */
import type { Node, VariableDeclaration, VariableDeclarator } from 'oxc-parser'
import { type Expression, partsOf } from '../../../program/icet.ts'
import { declaredNames, unwrapped } from '../access/tree.ts'
import { assignedSince, expression, hasOperation, orElse, shortCircuit } from './conditions.ts'
import { type Meaning, type MeaningOf, mapValues } from './meaning.ts'
import { asValue, expressionOf, keyName, meaningOf, memberOf, refuseShared } from './names.ts'
import { opaque, opaqueStatement } from './opaque.ts'
import { outside, Refusal } from './refusal.ts'
import { isSpawnList } from './spawn-shape.ts'
import { isSimple, type Translator } from './translator.ts'

/** A name becomes a variable of the process only if it has to: constants, functions and sets stay meanings (`isFixed`). */
export function declareAll(translator: Translator, node: VariableDeclaration): void {
  const isVar = node.kind === 'var' && translator.frame.module.ownership.isLikeLet(node)
  if (node.kind !== 'const' && node.kind !== 'let' && !isVar) {
    translator.refuse(node, outside(node.kind, 'write const, or let if it is assigned later'))
  }
  for (const declarator of node.declarations) declare(translator, declarator)
}

function declare(translator: Translator, { id, init }: VariableDeclarator): void {
  if (init !== null) {
    const binding = id.type === 'Identifier' ? translator.frame.module.bindingOf(id) : undefined
    if (binding !== undefined && isEmptyList(init) && isSpawnList(translator.frame.module, binding)) {
      translator.frame.set(binding, { kind: 'list', elements: [] })
      return
    }
    if (id.type === 'Identifier') bindName(translator, id, translator.value(init, { hint: id.name }))
    else
      bindPattern(
        translator,
        id,
        withoutNames(translator, id, () => translator.value(init)),
      )
    return
  }
  for (const identifier of declaredNames(id)) {
    const variable = translator.fresh(identifier.name)
    translator.process.mutable.add(variable)
    // A new variable in every round.
    const isAgain = translator.loops.length > 0
    if (isAgain) translator.assign(identifier, variable, { kind: 'literal', value: undefined })
    bindVariable(translator, identifier, variable, undefined)
  }
}

function isEmptyList(written: Node): boolean {
  const node = unwrapped(written)
  return node.type === 'ArrayExpression' && node.elements.length === 0
}

/** What is taken apart leaves the names of its parts to the parts. */
function withoutNames(translator: Translator, pattern: Node, run: () => Meaning): Meaning {
  const { taken } = translator.process
  const kept = [...declaredNames(pattern)].map(({ name }) => name).filter((name) => !taken.has(name))
  for (const name of kept) taken.add(name)
  const meaning = run()
  for (const name of kept) taken.delete(name)
  return meaning
}

/** Names whose declaration was refused cause no further diagnostics. */
export function declareBroken(translator: Translator, id: Node): void {
  for (const identifier of declaredNames(id)) {
    const binding = translator.frame.module.bindingOf(identifier)
    if (binding !== undefined) translator.frame.set(binding, { kind: 'broken' })
  }
}

export function bindPattern(translator: Translator, pattern: Node, meaning: Meaning): void {
  switch (pattern.type) {
    case 'Identifier':
      bindName(translator, pattern, meaning)
      return
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        const name = property.type === 'Property' ? keyName(property) : undefined
        if (property.type !== 'Property' || name === undefined) refusePattern(translator, property)
        bindPattern(translator, property.value, partOf(translator, property, meaning, name))
      }
      return
    case 'ArrayPattern':
      for (const [index, element] of pattern.elements.entries()) {
        if (element !== null) bindPattern(translator, element, partOf(translator, element, meaning, String(index)))
      }
      return
    default:
      refusePattern(translator, pattern)
  }
}

function refusePattern(translator: Translator, pattern: Node): never {
  const construct =
    pattern.type === 'RestElement'
      ? 'a rest element in a pattern'
      : pattern.type === 'AssignmentPattern'
        ? 'a default value in a pattern'
        : 'this part of a pattern'
  const hint = 'take the fields one by one: const { from, value } = …; write the default as a condition'
  return translator.refuse(pattern, outside(construct, hint))
}

/** A field of something that the translator knows, or a field in the term. */
function partOf(translator: Translator, node: Node, meaning: Meaning, name: string): Meaning {
  const known = memberOf(translator, node, meaning, name)
  if (known !== undefined) return known
  const of = expressionOf(translator, node, meaning)
  if (name === 'length' || name === 'size' || of.kind === 'literal') refusePattern(translator, node)
  return asValue(translator, { kind: 'field', of, name })
}

export function bindName(translator: Translator, identifier: Node & { readonly name: string }, meaning: Meaning): void {
  const { frame } = translator
  const binding = frame.module.bindingOf(identifier)
  if (binding === undefined) return
  const isVariable = binding.assigned || frame.module.mutated.has(binding)
  if (!isVariable && isFixed(translator, meaning)) {
    frame.set(binding, settled(translator, identifier, meaning))
    return
  }
  const expression = expressionOf(translator, identifier, meaning)
  const { process } = translator
  const isOwn = expression.kind === 'variable' && !process.named.has(expression.name)
  const variable = isOwn ? expression.name : translator.fresh(identifier.name)
  const isChanged = frame.module.mutated.has(binding)
  translator.assign(identifier, variable, expression)
  if (isVariable) process.mutable.add(variable)
  if (isChanged) process.changed.add(variable)
  const hasVariables = [...partsOf(expression)].some(({ kind }) => kind === 'variable')
  bindVariable(translator, identifier, variable, isVariable || hasVariables ? undefined : expression)
}

export function bindVariable(
  translator: Translator,
  identifier: Node & { readonly name: string },
  variable: string,
  closed: Expression | undefined,
): void {
  const { frame, process } = translator
  const binding = frame.module.bindingOf(identifier)
  process.named.add(variable)
  const meaning: MeaningOf<'value'> = asValue(translator, { kind: 'variable', name: variable })
  if (binding !== undefined) frame.set(binding, { ...meaning, closed })
}

/** Things that need no variable: known before the program runs, or not expressible in the term. */
function isFixed(translator: Translator, meaning: Meaning): boolean {
  switch (meaning.kind) {
    case 'value':
      return isSimple(meaning.expression)
    case 'list':
      return meaning.elements.every((element) => isStable(translator, element))
    case 'object': {
      const fields = [...meaning.fields.values()]
      return fields.every((field) => isFixed(translator, field)) || fields.some((field) => !isExpressible(field))
    }
    default:
      return true
  }
}

/** The meaning with values that later statements do not change. */
export function settled(translator: Translator, node: Node, meaning: Meaning): Meaning {
  if (meaning.kind === 'value') return meaning
  return mapValues(meaning, (one) => {
    if (isStable(translator, one)) return one
    const name = translator.fresh('part')
    translator.assign(node, name, one.expression)
    return asValue(translator, { kind: 'variable', name })
  })
}

/** Whether it can be data of the term: sets, functions and operations cannot. */
function isExpressible(meaning: Meaning): boolean {
  if (meaning.kind === 'list') return meaning.elements.every(isExpressible)
  if (meaning.kind === 'object') return [...meaning.fields.values()].every(isExpressible)
  return meaning.kind === 'value' || meaning.kind === 'foreign'
}

/** It may be evaluated later instead of now, and is short enough to stand in several places. */
export function isStable({ process }: Translator, meaning: Meaning): boolean {
  if (meaning.kind === 'list' || meaning.kind === 'object') return false
  if (meaning.kind !== 'value') return true
  return [...partsOf(meaning.expression)].every((part) =>
    part.kind === 'variable' ? !process.mutable.has(part.name) : part.kind === 'field' || isSimple(part),
  )
}

type Assignment = Extract<Node, { type: 'AssignmentExpression' | 'UpdateExpression' }>

export function assignTo(translator: Translator, node: Assignment, isUsed: boolean): Meaning {
  const written = unwrapped(node.type === 'AssignmentExpression' ? node.left : node.argument)
  if (written.type === 'ObjectPattern' || written.type === 'ArrayPattern')
    return assignPattern(translator, node, written, isUsed)
  if (written.type !== 'Identifier') {
    refuseFrozen(translator, written)
    if (isUsed) return opaque(translator, node)
    opaqueStatement(translator, node)
    return { kind: 'broken' }
  }
  const variable = variableOf(translator, written)
  refuseText(translator, node, written)
  if (node.type === 'UpdateExpression') return update(translator, node, variable, isUsed)
  const operator = node.operator.slice(0, -1)
  if (operator === '') {
    const meaning = translator.value(node.right, { hint: variable, variable })
    translator.assign(node, variable, expressionOf(translator, node.right, meaning))
  } else if (operator === '&&' || operator === '||' || operator === '??') {
    if (hasOperation(translator, node.right)) return orElse(translator, node, operator, variable)
    const right = expression(translator, node.right)
    translator.assign(node, variable, shortCircuit(operator, { kind: 'variable', name: variable }, right))
  } else if (simpleOperators.has(operator)) {
    const left = before(translator, node, variable, () => translator.value(node.right))
    const right = expressionOf(translator, node.right, left.meaning)
    translator.assign(node, variable, {
      kind: 'binary',
      operator: operator as '+',
      left: { kind: 'variable', name: left.variable },
      right,
    })
  } else return opaque(translator, node)
  return asValue(translator, { kind: 'variable', name: variable })
}

const simpleOperators: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%'])

/** `x += e` reads x first; if `e` assigns x, the old value is kept. */
function before(translator: Translator, node: Node, variable: string, run: () => Meaning) {
  const { out } = translator
  const at = out.length
  const meaning = run()
  if (!assignedSince(out, at).has(variable)) return { meaning, variable }
  const kept = translator.fresh('before')
  const value: Expression = { kind: 'variable', name: variable }
  out.splice(at, 0, { id: 0, place: translator.place(node), kind: 'assign', variable: kept, value })
  return { meaning, variable: kept }
}

/** `++` of a text makes it a number, which `+ 1` does not. */
function refuseText(translator: Translator, node: Assignment, identifier: Node): void {
  const { module } = translator.frame
  const binding = module.bindingOf(identifier)
  const init = binding === undefined ? undefined : module.declarators.get(binding)?.init
  const isText = init?.type === 'TemplateLiteral' || (init?.type === 'Literal' && typeof init.value === 'string')
  if (node.type === 'UpdateExpression' && isText) {
    translator.refuse(node, outside(`${node.operator} of a text`, 'convert it: Number(…)'))
  }
}

function update(
  translator: Translator,
  node: Extract<Node, { type: 'UpdateExpression' }>,
  name: string,
  isUsed: boolean,
): Meaning {
  const variable: Expression = { kind: 'variable', name }
  const result = isUsed && !node.prefix ? translator.fresh('before') : name
  translator.assign(node, result, variable)
  const operator = node.operator === '++' ? '+' : '-'
  translator.assign(node, name, { kind: 'binary', operator, left: variable, right: { kind: 'literal', value: 1 } })
  return asValue(translator, { kind: 'variable', name: result })
}

function refuseFrozen(translator: Translator, member: Node): void {
  if (member.type !== 'MemberExpression') return
  const object = unwrapped(member.object)
  const meaning = object.type === 'Identifier' ? meaningOf(translator, object) : undefined
  if (meaning?.kind !== 'value' || meaning.expression.kind !== 'variable') return
  if (!translator.process.messages.has(meaning.expression.name)) return
  const hint = 'messages are frozen; make a new object: { kind: …, … }'
  translator.refuse(member, outside('changing a message that was received', hint))
}

function variableOf(translator: Translator, identifier: Node & { readonly name: string }): string {
  const meaning = meaningOf(translator, identifier)
  if (meaning.kind === 'shared') refuseShared(translator, identifier, meaning)
  if (meaning.kind === 'broken') throw new Refusal(undefined)
  if (meaning.kind === 'value' && meaning.expression.kind === 'variable') return meaning.expression.name
  const hint = 'give the new value a name of its own: const next = …'
  return translator.refuse(
    identifier,
    outside(`assigning "${identifier.name}", which stands for something fixed,`, hint),
  )
}

function assignPattern(translator: Translator, node: Assignment, pattern: Node, isUsed: boolean): Meaning {
  if (isUsed)
    translator.refuse(node, outside('the value of an assignment to a pattern', 'assign in a statement of its own'))
  const right = node.type === 'AssignmentExpression' ? node.right : node.argument
  const meaning = translator.value(right)
  const parts: { readonly variable: string; readonly value: Expression }[] = []
  const take = (target: Node, name: string) => {
    if (target.type !== 'Identifier') refusePattern(translator, target)
    const value = expressionOf(translator, target, partOf(translator, target, meaning, name))
    parts.push({ variable: variableOf(translator, target), value })
  }
  if (pattern.type === 'ObjectPattern') {
    for (const property of pattern.properties) {
      const name = property.type === 'Property' ? keyName(property) : undefined
      if (property.type !== 'Property' || name === undefined) refusePattern(translator, property)
      take(unwrapped(property.value), name)
    }
  } else if (pattern.type === 'ArrayPattern') {
    for (const [index, element] of pattern.elements.entries()) {
      if (element !== null) take(unwrapped(element), String(index))
    }
  }
  assignTogether(translator, node, parts)
  return meaning
}

/** All values are those from before. */
export function assignTogether(
  translator: Translator,
  node: Node,
  parts: readonly { readonly variable: string; readonly value: Expression }[],
): void {
  const kept = parts.map(({ variable, value }, index) => {
    const earlier = new Set(parts.slice(0, index).map((part) => part.variable))
    const isStale = [...partsOf(value)].some((part) => part.kind === 'variable' && earlier.has(part.name))
    if (!isStale) return { variable, value }
    const name = translator.fresh('before')
    translator.assign(node, name, value)
    return { variable, value: { kind: 'variable', name } as const }
  })
  for (const { variable, value } of kept) translator.assign(node, variable, value)
}
