/** Loops: over sets of processes, a number of times, for ever; and loops of pure computation, of which only the outcome matters. */
import type { Node } from 'oxc-parser'
import type { Count, Expression } from '../../../program/icet.ts'
import { evaluatedWith, unwrapped } from '../access/tree.ts'
import { walk } from '../syntax.ts'
import { expression } from './conditions.ts'
import { countFrom, difference, linearOf, refuseCount } from './counts.ts'
import { hasBreak } from './function-shape.ts'
import type { Meaning, MeaningOf } from './meaning.ts'
import { changedIn } from './modules.ts'
import { asValue, expressionOf } from './names.ts'
import { opaqueStatement } from './opaque.ts'
import { bindName, bindPattern, bindVariable, declareAll, settled } from './patterns.ts'
import { outside, Refusal } from './refusal.ts'
import type { Jump, LoopAround, Translator } from './translator.ts'

type Loop<K extends Node['type']> = Extract<Node, { type: K }>

/** True if the loop performs nothing and leaves nothing but itself: then it has been translated. */
export function localLoop(translator: Translator, node: Node): boolean {
  const inside = [...evaluatedWith(node)]
  if (inside.some(({ type }) => notLocal.has(type))) return false
  if (node.type === 'ForOfStatement' && setIn(translator, node.right) !== undefined) return false
  opaqueStatement(translator, node)
  return true
}

const notLocal: ReadonlySet<string> = new Set([
  'YieldExpression',
  'AwaitExpression',
  'ReturnStatement',
  'ThrowStatement',
  'LabeledStatement',
])

function setIn(translator: Translator, written: Node): MeaningOf<'set'> | undefined {
  const node = unwrapped(written)
  if (node.type !== 'Identifier' && node.type !== 'MemberExpression') return undefined
  const meaning = translator.value(node)
  return meaning.kind === 'set' ? meaning : undefined
}

export function whileLoop(translator: Translator, node: Loop<'WhileStatement'>): void {
  forEver(translator, node, 'while (…)', (loop) => {
    leaveUnless(translator, node.test, loop)
    translator.withJumps(leave(loop), { kind: 'loop', loop, how: 'continue' }, () => body(translator, node.body))
  })
}

export function doWhileLoop(translator: Translator, node: Loop<'DoWhileStatement'>): void {
  forEver(translator, node, 'do … while (…)', (loop) => {
    round(translator, node.body, leave(loop))
    if (translator.isOpen) leaveUnless(translator, node.test, loop)
  })
}

export function forLoop(translator: Translator, node: Loop<'ForStatement'>): void {
  if (node.test !== null && node.update !== null && countedLoop(translator, node)) return
  if (node.init?.type === 'VariableDeclaration') declareAll(translator, node.init)
  else if (node.init !== null) translator.value(node.init)
  const { test, update } = node
  forEver(translator, node, 'for (…)', (loop) => {
    if (test !== null) leaveUnless(translator, test, loop)
    if (update === null) {
      translator.withJumps(leave(loop), { kind: 'loop', loop, how: 'continue' }, () => body(translator, node.body))
      return
    }
    round(translator, node.body, leave(loop))
    if (translator.isOpen) translator.value(update)
  })
}

/** A loop without a number of rounds is `while` without a condition; its test is a `break` inside. */
function forEver(
  translator: Translator,
  node: Node & { readonly body: Node },
  words: string,
  write: (loop: LoopAround) => void,
): void {
  const isEndless = 'test' in node ? node.test === null || isTrue(node.test as Node) : false
  const endsFunction = translator.activation?.tails.has(node) === true || (isEndless && !hasBreak(node))
  translator.loop(
    { kind: 'while', words, endsFunction },
    node,
    (inner) => ({ kind: 'while', body: inner }) as never,
    write,
  )
}

function isTrue(test: Node): boolean {
  const node = unwrapped(test)
  return node.type === 'Literal' && Boolean(node.value)
}

function leave(loop: LoopAround): Jump {
  return { kind: 'loop', loop, how: 'break' }
}

function leaveUnless(translator: Translator, test: Node, loop: LoopAround): void {
  if (isTrue(test)) return
  const condition = expression(translator, test)
  const goOn = () => undefined
  translator.branch(test, condition, goOn, () => translator.jump(leave(loop), test, 'the condition'))
}

/** The body of a loop whose `continue` goes to the end of the body. */
function round(translator: Translator, node: Node, breakTo: Jump): void {
  translator.bounded('continue', (boundary) =>
    translator.withJumps(breakTo, { kind: 'fall', boundary }, () => body(translator, node)),
  )
}

function body(translator: Translator, node: Node): void {
  translator.parts.block(translator, node.type === 'BlockStatement' ? node.body : [node])
}

export function forOfLoop(translator: Translator, node: Loop<'ForOfStatement'>): void {
  const { left } = node
  const declarator = left.type === 'VariableDeclaration' ? left.declarations[0] : undefined
  if (node.await || declarator === undefined || (left.type === 'VariableDeclaration' && left.kind === 'var')) {
    translator.refuse(node, outside('this kind of for…of', 'write for (const one of set) { … }'))
  }
  const members = translator.value(node.right)
  if (members.kind === 'broken') throw new Refusal(undefined)
  const words = `for (… of ${translator.frame.module.line(node.right)})`
  if (members.kind === 'set') each(translator, node, declarator.id, members, words)
  else if (members.kind === 'list') unrolled(translator, node, declarator.id, members.elements)
  else {
    translator.refuse(node, {
      code: 'E410',
      message: `${words} goes through a value that is not a set of processes`,
      hint: 'go through the set that spawnAll(…) gave, or count with repeat(k, …); an array built at run time has no size that prove knows',
    })
  }
}

/** Members come in any order, which is what lets one arbitrary round stand for all. */
function each(
  translator: Translator,
  node: Loop<'ForOfStatement'>,
  id: Node,
  { name: set }: MeaningOf<'set'>,
  words: string,
): void {
  const isAssigned = id.type === 'Identifier' && translator.frame.module.bindingOf(id)?.assigned === true
  const variable = translator.fresh(id.type === 'Identifier' && !isAssigned ? id.name : 'member')
  if (isAssigned) translator.process.named.add(variable)
  translator.loop(
    { kind: 'each', words, endsFunction: false },
    node,
    (inner) => ({ kind: 'each', variable, set, body: inner }) as never,
    (loop) => {
      const member = asValue(translator, { kind: 'variable', name: variable })
      if (id.type === 'Identifier') bindName(translator, id, member)
      else bindPattern(translator, id, member)
      round(translator, node.body, leave(loop))
    },
  )
}

/** Over a list that is written down: the body once for each element. */
function unrolled(translator: Translator, node: Loop<'ForOfStatement'>, id: Node, list: readonly Meaning[]): void {
  if (list.length > mostUnrolled) refuseCount(translator, node.right)
  const { elements } = settled(translator, node.right, { kind: 'list', elements: list }) as MeaningOf<'list'>
  const loop: LoopAround = {
    kind: 'each',
    words: 'for (… of […])',
    endsFunction: false,
    isLeft: false,
    returns: false,
  }
  for (const element of elements) {
    if (!translator.isOpen) return
    bindPattern(translator, id, element)
    round(translator, node.body, leave(loop))
  }
}

/** Each element repeats the body, and nested lists multiply. */
const mostUnrolled = 16

/** `for (let i = from; i < to; i++)` and its variants, if the number of rounds is a parameter or a number. */
function countedLoop(translator: Translator, node: Loop<'ForStatement'>): boolean {
  const shape = counting(translator, node)
  if (shape === undefined) return false
  const { identifier, start, count, step } = shape
  const isUsed = [...evaluatedWith(node.body)].some(
    (inner) => translator.frame.module.bindingOf(inner) === translator.frame.module.bindingOf(identifier),
  )
  const isPlain = start.kind === 'literal' && start.value === 0 && step === 1
  const index = isUsed ? translator.fresh(isPlain ? identifier.name : 'round') : undefined
  const words = `for (… ${translator.frame.module.line(node.test as Node)} …)`
  translator.loop(
    { kind: 'repeat', words, endsFunction: false },
    node,
    (inner) => ({ kind: 'repeat', index, count, body: inner }) as never,
    (loop) => {
      if (index !== undefined) bindIndex(translator, identifier, index, isPlain ? undefined : { start, step })
      round(translator, node.body, leave(loop))
    },
  )
  return true
}

/** Rounds of `repeat` count from 0; other starts and steps are computed from the round. */
function bindIndex(
  translator: Translator,
  identifier: Node & { readonly name: string },
  index: string,
  shifted: { readonly start: Expression; readonly step: number } | undefined,
): void {
  const round: Expression = { kind: 'variable', name: index }
  if (shifted === undefined) {
    bindVariable(translator, identifier, index, undefined)
    return
  }
  const variable = translator.fresh(identifier.name)
  const operator = shifted.step > 0 ? '+' : '-'
  translator.assign(identifier, variable, { kind: 'binary', operator, left: shifted.start, right: round })
  bindVariable(translator, identifier, variable, undefined)
}

interface Counting {
  readonly identifier: Node & { readonly name: string }
  readonly start: Expression
  readonly step: 1 | -1
  readonly count: Count
}

function counting(translator: Translator, node: Loop<'ForStatement'>): Counting | undefined {
  const { init, test, update } = node
  const declarator =
    init?.type === 'VariableDeclaration' && init.declarations.length === 1 ? init.declarations[0] : undefined
  if (declarator === undefined || declarator.id.type !== 'Identifier' || declarator.init === null) return undefined
  if (init?.type === 'VariableDeclaration' && init.kind !== 'let') return undefined
  const { id: identifier } = declarator
  const { module } = translator.frame
  const isIndex = (one: Node) => module.bindingOf(unwrapped(one)) === module.bindingOf(identifier)
  const step = update === null ? undefined : stepOf(unwrapped(update), isIndex)
  if (step === undefined || test === null || isAssignedIn(node.body, isIndex)) return undefined
  const written = unwrapped(test)
  if (written.type !== 'BinaryExpression' || !isIndex(written.left)) return undefined
  const start = expressionIn(translator, declarator.init)
  const bound = expressionIn(translator, written.right)
  if (start === undefined || bound === undefined) return undefined
  const rounds = roundsBetween(start, bound, written.operator, step)
  if (rounds === undefined) return undefined
  const count = countFrom(rounds)
  return count === undefined ? refuseCount(translator, written) : { identifier, start, step, count }
}

/** Undefined if evaluating it takes statements. */
function expressionIn(translator: Translator, node: Node): Expression | undefined {
  let result: Expression | undefined
  const writes = translator.writes(() => {
    const meaning: Meaning = translator.value(node)
    result = expressionOf(translator, node, meaning)
  })
  return writes ? undefined : result
}

function roundsBetween(start: Expression, bound: Expression, operator: string, step: 1 | -1) {
  const first = linearOf(start)
  const last = linearOf(bound)
  if (first === undefined || last === undefined) return undefined
  const isInclusive = operator === '<=' || operator === '>='
  const isUp = operator === '<' || operator === '<='
  if (!['<', '<=', '>', '>='].includes(operator) || isUp !== (step === 1)) return undefined
  const rounds = step === 1 ? difference(last, first) : difference(first, last)
  return rounds === undefined ? undefined : { ...rounds, number: rounds.number + (isInclusive ? 1 : 0) }
}

function stepOf(update: Node, isIndex: (node: Node) => boolean): 1 | -1 | undefined {
  if (update.type === 'UpdateExpression')
    return isIndex(update.argument) ? (update.operator === '++' ? 1 : -1) : undefined
  if (update.type !== 'AssignmentExpression' || !isIndex(update.left)) return undefined
  const right = unwrapped(update.right)
  if (right.type !== 'Literal' || right.value !== 1) return undefined
  return update.operator === '+=' ? 1 : update.operator === '-=' ? -1 : undefined
}

/** Also by functions inside, and by patterns. */
function isAssignedIn(node: Node, isIndex: (node: Node) => boolean): boolean {
  let isAssigned = false
  walk(node, {
    enter: (inner) => {
      isAssigned ||= [...changedIn(inner)].some(isIndex)
    },
  })
  return isAssigned
}
