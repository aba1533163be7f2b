/** Statements by kind, with the control flow they make. */
import type { Class, IfStatement, Node, ReturnStatement } from 'oxc-parser'
import { isClass } from '../syntax.ts'
import { call, pause } from './calls.ts'
import { classCode, classValue } from './classes.ts'
import { declaration, declarationOf, functionDeclaration, scopeHead } from './declarations.ts'
import type { Frame } from './frame.ts'
import type { Jump } from './jumps.ts'
import { doWhileLoop, forLoop, iteration, whileLoop } from './loops.ts'
import { consume, held, inPlace } from './operands.ts'
import { type Code, firstCharacter, slice } from './output.ts'
import { declareName } from './patterns.ts'
import type { Rewriter } from './rewriter.ts'
import { switchStatement } from './switches.ts'
import { isTypeOnly, unwrapped } from './tree.ts'
import { tryStatement } from './tries.ts'
import type { Value } from './value.ts'

/** Where the text begins and ends that the statements stand in. */
export interface Extent {
  readonly start: number
  readonly end: number
}

/** Statements with the text between them. */
export function statements(rewriter: Rewriter, frame: Frame, nodes: readonly Node[], { start, end }: Extent): Code {
  const pieces: Code[] = []
  let at = start
  for (const node of nodes) {
    const code = statement(rewriter, frame, node)
    // What begins so would go on with the line before, if that has no semicolon: also where it began so, as behind `n++`.
    const goesOn = '([`+-/'.includes(firstCharacter(code, rewriter.source.text) || ' ')
    pieces.push(slice(at, node.start), goesOn ? ';' : '', code)
    at = node.end
  }
  return [pieces, slice(at, end)]
}

export function statement(rewriter: Rewriter, frame: Frame, node: Node): Code {
  frame.nextStatement()
  if (isTypeOnly(node)) return node.type === 'TSDeclareFunction' ? '' : slice(node.start, node.end)
  switch (node.type) {
    case 'BlockStatement':
      return block(rewriter, frame, node)
    case 'ExpressionStatement': {
      const value = rewriter.expression(frame, node.expression, false)
      return [value.code, slice(node.expression.end, node.end)]
    }
    case 'VariableDeclaration':
      return declaration(rewriter, frame, node)
    case 'FunctionDeclaration':
      return functionDeclaration(rewriter, frame, node)
    case 'ClassDeclaration':
      return classDeclaration(rewriter, frame, node)
    case 'IfStatement':
      return ifStatement(rewriter, frame, node)
    case 'ReturnStatement':
      return returnStatement(rewriter, frame, node)
    case 'ThrowStatement': {
      const { code } = inPlace(rewriter, frame, node, [node.argument])
      frame.flow.end()
      return code
    }
    case 'BreakStatement':
      return jumpStatement(frame, node, frame.jumps.break(node.label?.name))
    case 'ContinueStatement':
      return jumpStatement(frame, node, frame.jumps.continue(node.label?.name))
    default:
      return compound(rewriter, frame, node)
  }
}

function block(
  rewriter: Rewriter,
  frame: Frame,
  node: Extract<Node, { type: 'BlockStatement' }>,
  head: Code = '',
): Code {
  const emit = (): Code => [
    '{',
    head,
    scopeHead(rewriter, frame, rewriter.bindings.scopes.get(node)),
    statements(rewriter, frame, node.body, { start: node.start + 1, end: node.end }),
  ]
  return labelled(frame, emit)
}

/** What an expression behind `return` gives; an async function waits for it. */
export function returned(rewriter: Rewriter, frame: Frame, node: Node): Value {
  const value = unwrapped(node)
  // Errors of what an async generator returns, its code may catch.
  if (frame.isGenerator && frame.isAsync && frame.kind === 'generator') {
    return pause(rewriter, frame, node.start, { node })
  }
  // Inside `try` the function is left first, so that a rejection is not caught there.
  const waits = frame.isAsync && frame.kind === 'generator' && !frame.jumps.isGuarded
  return waits && value.type === 'CallExpression'
    ? call(rewriter, frame, value, true)
    : rewriter.expression(frame, node)
}

function compound(rewriter: Rewriter, frame: Frame, node: Node): Code {
  switch (node.type) {
    case 'ForStatement':
      return forLoop(rewriter, frame, node)
    case 'ForOfStatement':
    case 'ForInStatement':
      return iteration(rewriter, frame, node)
    case 'WhileStatement':
      return whileLoop(rewriter, frame, node)
    case 'DoWhileStatement':
      return doWhileLoop(rewriter, frame, node)
    case 'SwitchStatement':
      return switchStatement(rewriter, frame, node)
    case 'TryStatement':
      return labelled(frame, () => tryStatement(rewriter, frame, node))
    case 'LabeledStatement':
      frame.jumps.label(node.label.name)
      return [slice(node.start, node.body.start), labelledBody(rewriter, frame, node.body)]
    default:
      return slice(node.start, node.end)
  }
}

/** `break` with a label may leave any statement. */
function labelledBody(rewriter: Rewriter, frame: Frame, node: Node): Code {
  const takesLabels = ['BlockStatement', 'TryStatement', 'SwitchStatement', 'LabeledStatement'].includes(node.type)
  if (takesLabels || node.type.startsWith('For') || node.type.endsWith('WhileStatement'))
    return statement(rewriter, frame, node)
  return labelled(frame, () => statement(rewriter, frame, node))
}

function labelled(frame: Frame, emit: () => Code): Code {
  const labels = frame.jumps.takeLabels()
  if (labels.length === 0) return emit()
  const end = frame.flow.label()
  let code: Code = ''
  frame.jumps.within({ labels, isPlain: false, onBreak: end, onContinue: undefined }, () => {
    code = emit()
  })
  frame.flow.place(end)
  return code
}

function ifStatement(rewriter: Rewriter, frame: Frame, node: IfStatement): Code {
  const { flow } = frame
  const otherwise = flow.label()
  const end = flow.label()
  const test = rewriter.expression(frame, node.test)
  consume(frame, [test])
  flow.branch(otherwise)
  const consequent = statement(rewriter, frame, node.consequent)
  flow.jump(end)
  flow.place(otherwise)
  const alternate = node.alternate === null ? '' : statement(rewriter, frame, node.alternate)
  flow.place(end)
  return [
    slice(node.start, node.test.start),
    test.code,
    slice(node.test.end, node.consequent.start),
    consequent,
    node.alternate === null ? '' : [slice(node.consequent.end, node.alternate.start), alternate],
  ]
}

function returnStatement(rewriter: Rewriter, frame: Frame, node: ReturnStatement): Code {
  const { flow } = frame
  const jump = frame.jumps.return()
  const pending = jump.passes.flatMap(({ finalizer }) => (finalizer.pending === undefined ? [] : [finalizer.pending]))
  const kinds = pending.map(({ kind }) => `${kind.code} = 1`)
  if (node.argument === null) {
    flow.define(...pending.flatMap(({ kind, value }) => [kind, value]))
    jump.go()
    return pending.length === 0 ? slice(node.start, node.end) : `{ ${kinds.join(', ')}; return }`
  }
  const value = returned(rewriter, frame, node.argument)
  const rest = slice(node.argument.end, node.end)
  if (pending.length === 0) {
    consume(frame, [value])
    jump.go()
    // What a constructor gives instead of what it made.
    const code = frame.kind === 'plain' ? [rewriter.runtime('given'), '(', value.code, ')'] : value.code
    return [slice(node.start, node.argument.start), code, rest]
  }
  const { code, variable } = held(frame, value)
  flow.use(variable)
  flow.define(...pending.flatMap((one) => [one.kind, one.value]))
  jump.go()
  const values = pending.map((one) => `${one.value.code} = ${variable.code}`)
  return ['return (', code, `, ${[...values, ...kinds, variable.code].join(', ')})`, rest]
}

function jumpStatement(frame: Frame, node: Node, jump: Jump): Code {
  const noted = jump.passes.flatMap(({ finalizer, completion }) => {
    if (finalizer.pending === undefined) return []
    frame.flow.define(finalizer.pending.kind)
    return [`${finalizer.pending.kind.code} = ${completion};`]
  })
  jump.go()
  return noted.length === 0 ? slice(node.start, node.end) : [`{ ${noted.join(' ')} `, slice(node.start, node.end), ' }']
}

function classDeclaration(rewriter: Rewriter, frame: Frame, node: Class): Code {
  if (node.id === null || !isClass(node)) return classCode(rewriter, frame, node, 'default')
  const binding = rewriter.bindings.resolved.get(node.id)
  if (frame.kind === 'plain' && binding?.isTopLevel === true && !binding.isBoxed)
    return classCode(rewriter, frame, node, undefined)
  const value = classValue(rewriter, frame, node, undefined)
  return declarationOf(frame, 'const', [declareName(rewriter, frame, node.id, value)], false)
}
