/** Counted loops: `for (let i = from; i < to; i++)` and its variants, if the number of rounds is a parameter or a number. */
import type { Node } from 'oxc-parser'
import type { Count, Expression } from '../../../program/icet.ts'
import { unwrapped } from '../access/tree.ts'
import { walk } from '../syntax.ts'
import { closedOf, countFrom, difference, linearOf, refuseCount } from './counts.ts'
import { changedIn } from './modules.ts'
import type { Translator } from './translator.ts'

export type ForLoop = Extract<Node, { type: 'ForStatement' }>

export interface Counting {
  readonly identifier: Node & { readonly name: string }
  readonly start: Expression
  readonly step: 1 | -1
  readonly count: Count
  /** What the index is compared with. */
  readonly bound: Node
}

export function counting(translator: Translator, node: ForLoop): Counting | undefined {
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
  return count === undefined
    ? refuseCount(translator, written)
    : { identifier, start, step, count, bound: written.right }
}

/** Undefined if evaluating it takes statements. */
function expressionIn(translator: Translator, node: Node): Expression | undefined {
  let result: Expression | undefined
  const writes = translator.writes(() => {
    result = closedOf(translator, node, translator.value(node))
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
