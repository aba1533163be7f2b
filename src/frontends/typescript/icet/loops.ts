/** Loops: over sets of processes, a number of times, for ever; and loops of pure computation, of which only the outcome matters. */
import type { Node } from 'oxc-parser'
import type { Expression } from '../../../program/icet.ts'
import { evaluatedWith, unwrapped } from '../access/tree.ts'
import { expression } from './conditions.ts'
import { type Counting, counting } from './counting.ts'
import { refuseCount } from './counts.ts'
import { hasBreak } from './function-shape.ts'
import type { Jump, LoopAround } from './jumps.ts'
import type { Meaning, MeaningOf } from './meaning.ts'
import { indexedSet, indexOf } from './members.ts'
import { asValue } from './names.ts'
import { opaqueStatement } from './opaque.ts'
import { bindName, bindPattern, bindVariable, declareAll, settled } from './patterns.ts'
import { outside, Refusal } from './refusal.ts'
import { spawnLoop } from './spawn-loops.ts'
import type { Translator } from './translator.ts'

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
  forEver(translator, node, (loop) => {
    leaveUnless(translator, node.test, loop)
    translator.withJumps(leave(loop), { kind: 'loop', loop, how: 'continue' }, () => body(translator, node.body))
  })
}

export function doWhileLoop(translator: Translator, node: Loop<'DoWhileStatement'>): void {
  forEver(translator, node, (loop) => {
    round(translator, node.body, leave(loop), undefined)
    if (translator.isOpen) leaveUnless(translator, node.test, loop)
  })
}

export function forLoop(translator: Translator, node: Loop<'ForStatement'>): void {
  const shape = counting(translator, node)
  if (shape !== undefined) {
    if (!spawnLoop(translator, node, shape)) countedLoop(translator, node, shape)
    return
  }
  if (node.init?.type === 'VariableDeclaration') declareAll(translator, node.init)
  else if (node.init !== null) translator.value(node.init)
  const { test, update } = node
  forEver(translator, node, (loop) => {
    if (test !== null) leaveUnless(translator, test, loop)
    if (update === null) {
      translator.withJumps(leave(loop), { kind: 'loop', loop, how: 'continue' }, () => body(translator, node.body))
      return
    }
    round(translator, node.body, leave(loop), undefined)
    if (translator.isOpen) translator.value(update)
  })
}

/** A loop without a number of rounds is `while` without a condition; its test is a `break` inside. */
function forEver(
  translator: Translator,
  node: Loop<'WhileStatement' | 'DoWhileStatement' | 'ForStatement'>,
  write: (loop: LoopAround) => void,
): void {
  const isEndless = node.test === null || isTrue(node.test)
  const endsFunction = translator.activation?.tails.has(node) === true || (isEndless && !hasBreak(node))
  translator.loop({ kind: 'while', endsFunction }, node, (inner) => ({ kind: 'while', body: inner }) as never, write)
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
  translator.branch(test, condition, goOn, () => translator.jump(leave(loop), test))
}

/** The body of a loop whose `continue` goes to the end of the body; so does what leaves a loop with a number of rounds. */
function round(translator: Translator, node: Node, breakTo: Jump, counted: LoopAround | undefined): void {
  translator.bounded((boundary) => {
    if (counted !== undefined) counted.round = boundary
    translator.withJumps(breakTo, { kind: 'fall', boundary }, () => body(translator, node))
  })
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
  if (members.kind === 'set') each(translator, node, declarator.id, members)
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
function each(translator: Translator, node: Loop<'ForOfStatement'>, id: Node, { name: set }: MeaningOf<'set'>): void {
  const isAssigned = id.type === 'Identifier' && translator.frame.module.bindingOf(id)?.assigned === true
  const variable = translator.fresh(id.type === 'Identifier' && !isAssigned ? id.name : 'member')
  if (isAssigned) translator.process.named.add(variable)
  translator.loop(
    { kind: 'each' },
    node,
    (inner) => ({ kind: 'each', variable, set, body: inner }) as never,
    (loop) => {
      const member = asValue(translator, { kind: 'variable', name: variable })
      if (id.type === 'Identifier') bindName(translator, id, member)
      else bindPattern(translator, id, member)
      round(translator, node.body, leave(loop), loop)
    },
  )
}

/** Over a list that is written down: the body once for each element. */
function unrolled(translator: Translator, node: Loop<'ForOfStatement'>, id: Node, list: readonly Meaning[]): void {
  if (list.length > mostUnrolled) refuseCount(translator, node.right)
  const { elements } = settled(translator, node.right, { kind: 'list', elements: list }) as MeaningOf<'list'>
  translator.bounded((boundary) => {
    for (const element of elements) {
      if (!translator.isOpen) return
      bindPattern(translator, id, element)
      round(translator, node.body, { kind: 'fall', boundary }, undefined)
    }
  })
}

/** Each element repeats the body, and nested lists multiply. */
const mostUnrolled = 16

function countedLoop(translator: Translator, node: Loop<'ForStatement'>, shape: Counting): void {
  const { identifier, start, count, step } = shape
  const { module } = translator.frame
  const isUsed = [...evaluatedWith(node.body)].some((inner) => module.bindingOf(inner) === module.bindingOf(identifier))
  const set = indexedSet(translator, node, shape)
  if (set !== undefined) {
    eachIndexed(translator, node, identifier, set)
    return
  }
  const isPlain = start.kind === 'literal' && start.value === 0 && step === 1
  const index = isUsed ? translator.fresh(isPlain ? identifier.name : 'round') : undefined
  translator.loop(
    { kind: 'repeat' },
    node,
    (inner) => ({ kind: 'repeat', index, count, body: inner }) as never,
    (loop) => {
      if (index !== undefined) bindIndex(translator, identifier, index, isPlain ? undefined : { start, step })
      round(translator, node.body, leave(loop), loop)
    },
  )
}

/** As many rounds as members, with the member of the round taken by its index: over the members, which have their indices. */
function eachIndexed(
  translator: Translator,
  node: Loop<'ForStatement'>,
  identifier: Node & { readonly name: string },
  { name: set }: MeaningOf<'set'>,
): void {
  const variable = translator.fresh('member')
  const member: Expression = { kind: 'variable', name: variable }
  const binding = translator.frame.module.bindingOf(identifier)
  translator.loop(
    { kind: 'each' },
    node,
    (inner) => ({ kind: 'each', variable, set, body: inner }) as never,
    (loop) => {
      if (binding !== undefined) translator.indexed.set(binding, { set, member: asValue(translator, member) })
      bindName(translator, identifier, asValue(translator, indexOf(set, member)))
      round(translator, node.body, leave(loop), loop)
    },
  )
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
