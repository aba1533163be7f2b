/** `switch` as a chain of conditions. */
import type { Node, SwitchCase, SwitchStatement } from 'oxc-parser'
import type { Expression } from '../../../program/icet.ts'
import { expression, hasOperation } from './conditions.ts'
import { hasBreak } from './function-shape.ts'
import { outside } from './refusal.ts'
import type { Translator } from './translator.ts'
import { refuseIdentity } from './values.ts'

/** Cases in a row that share a body. */
interface Group {
  readonly node: Node
  /** Empty only for a default of its own. */
  readonly tests: readonly Node[]
  readonly isDefault: boolean
  readonly body: readonly Node[]
}

export function switchStatement(translator: Translator, node: SwitchStatement): void {
  const value = discriminant(translator, node.discriminant)
  const groups = groupsOf(translator, node.cases)
  const cases = groups.filter(({ isDefault }) => !isDefault)
  const otherwise = groups.find(({ isDefault }) => isDefault)?.body ?? []
  const chain = (index: number): void => {
    const group = cases[index]
    if (group === undefined) {
      translator.parts.block(translator, otherwise)
      return
    }
    const condition = group.tests
      .map((test): Expression => ({ kind: 'binary', operator: '===', left: value, right: caseValue(translator, test) }))
      .reduce((left, right) => ({ kind: 'binary', operator: '||', left, right }))
    translator.branch(
      group.node,
      condition,
      () => translator.parts.block(translator, group.body),
      () => chain(index + 1),
    )
  }
  translator.bounded((boundary) =>
    translator.withJumps({ kind: 'fall', boundary }, translator.continueTo, () => chain(0)),
  )
}

/** Later cases are not evaluated if an earlier one fits, so none may do anything. */
function caseValue(translator: Translator, test: Node): Expression {
  if (hasOperation(translator, test)) {
    translator.refuse(test, outside('a case that does more than name a value', 'write if (…) { … } else { … }'))
  }
  refuseIdentity(translator, test, test)
  return expression(translator, test)
}

/** Evaluated once, and short enough to be repeated in every condition. */
function discriminant(translator: Translator, node: Node): Expression {
  const value = expression(translator, node)
  if (isPath(value)) return value
  const variable = translator.fresh('switched')
  translator.assign(node, variable, value)
  return { kind: 'variable', name: variable }
}

function isPath(value: Expression): boolean {
  return value.kind === 'field'
    ? isPath(value.of)
    : ['variable', 'literal', 'parameter', 'self', 'process'].includes(value.kind)
}

function groupsOf(translator: Translator, cases: readonly SwitchCase[]): readonly Group[] {
  const groups: Group[] = []
  let tests: Node[] = []
  let isDefault = false
  let first: Node | undefined
  for (const [index, one] of cases.entries()) {
    first ??= one
    if (one.test === null) isDefault = true
    else tests.push(one.test)
    const isLast = index === cases.length - 1
    if (one.consequent.length === 0 && !isLast) continue
    if (!isLast && !leavesAtEnd(one.consequent)) {
      const hint = 'end the case with break, return or continue; cases with the same body may stand in a row'
      translator.refuse(one, outside('a case that falls through to the next', hint))
    }
    groups.push({ node: first, tests, isDefault, body: one.consequent })
    tests = []
    isDefault = false
    first = undefined
  }
  return groups
}

function leavesAtEnd(list: readonly Node[]): boolean {
  const last = list.at(-1)
  switch (last?.type) {
    case 'BreakStatement':
    case 'ReturnStatement':
    case 'ContinueStatement':
    case 'ThrowStatement':
      return true
    case 'BlockStatement':
      return leavesAtEnd(last.body)
    case 'IfStatement':
      return last.alternate !== null && leavesAtEnd([last.consequent]) && leavesAtEnd([last.alternate])
    case 'WhileStatement':
    case 'ForStatement':
      return (last.test === null || (last.test.type === 'Literal' && last.test.value === true)) && !hasBreak(last)
    default:
      return false
  }
}
