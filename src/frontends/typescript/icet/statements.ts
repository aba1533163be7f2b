/** Statements of a process, one by one; a refused one is reported, and the next is looked at. */
import type { Node, Statement } from 'oxc-parser'
import { isTypeOnly, unwrapped } from '../access/tree.ts'
import { isFunction } from '../syntax.ts'
import { tailCall } from './calls.ts'
import { expression } from './conditions.ts'
import { notRead } from './forms.ts'
import { doWhileLoop, forLoop, forOfLoop, localLoop, whileLoop } from './loops.ts'
import { expressionOf, functionMeaning, meaningOf } from './names.ts'
import { opaqueStatement } from './opaque.ts'
import { messageText } from './operations.ts'
import { assignTo, declareAll, declareBroken } from './patterns.ts'
import { outside } from './refusal.ts'
import { switchStatement } from './switches.ts'
import { type Translator, unused } from './translator.ts'
import { performed } from './values.ts'

export function block(translator: Translator, nodes: readonly Node[]): void {
  hoist(translator, nodes)
  for (const node of nodes) {
    if (!translator.isOpen) return
    if (!isJump(node)) translator.goOn()
    translator.attempt(
      () => statement(translator, node),
      (refusal) => {
        translator.program.report(refusal)
        if (node.type !== 'VariableDeclaration') return
        for (const { id } of node.declarations) declareBroken(translator, id)
      },
    )
  }
}

/** Others may have jumped there before. */
function isJump(node: Node): boolean {
  if (node.type === 'ReturnStatement') return node.argument === null
  return node.type === 'BreakStatement' || node.type === 'ContinueStatement'
}

function hoist(translator: Translator, nodes: readonly Node[]): void {
  const { frame } = translator
  for (const node of nodes) {
    if (node.type !== 'FunctionDeclaration' || node.id === null) continue
    const binding = frame.module.bindingOf(node.id)
    if (binding !== undefined) frame.set(binding, functionMeaning(node, frame))
  }
}

function statement(translator: Translator, node: Node): void {
  switch (node.type) {
    case 'VariableDeclaration':
      declareAll(translator, node)
      return
    case 'ExpressionStatement':
      expressionStatement(translator, node)
      return
    case 'IfStatement':
      ifStatement(translator, node)
      return
    case 'BlockStatement':
      block(translator, node.body)
      return
    case 'ReturnStatement':
      returnStatement(translator, node)
      return
    case 'ThrowStatement':
      translator.value(node.argument)
      translator.fail(node, messageText(translator, node.argument))
      return
    case 'BreakStatement':
    case 'ContinueStatement':
      jumpStatement(translator, node)
      return
    case 'SwitchStatement':
      switchStatement(translator, node)
      return
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
    case 'ForOfStatement':
    case 'ForInStatement':
      loopStatement(translator, node)
      return
    case 'EmptyStatement':
    case 'FunctionDeclaration':
    case 'DebuggerStatement':
      return
    default:
      if (!isTypeOnly(node)) translator.refuse(node, notRead(node))
  }
}

function expressionStatement(translator: Translator, node: Extract<Statement, { type: 'ExpressionStatement' }>): void {
  const written = unwrapped(node.expression)
  switch (written.type) {
    case 'YieldExpression':
    case 'AwaitExpression': {
      const call = written.argument === null ? undefined : unwrapped(written.argument)
      const isTail = call?.type === 'CallExpression' && translator.activation?.tails.has(node) === true
      if (isTail && tailCall(translator, call)) return
      performed(translator, written, unused)
      return
    }
    case 'AssignmentExpression':
    case 'UpdateExpression':
      assignTo(translator, written, false)
      return
    case 'CallExpression':
      callStatement(translator, written)
      return
    default:
      translator.value(written)
  }
}

function callStatement(translator: Translator, node: Extract<Node, { type: 'CallExpression' }>): void {
  const callee = unwrapped(node.callee)
  if (callee.type !== 'MemberExpression') {
    const meaning = callee.type === 'Identifier' || isFunction(callee) ? translator.value(callee) : undefined
    const isPure = meaning?.kind === 'function' && !meaning.node.generator && !meaning.node.async
    if (isPure) translator.parts.call(translator, meaning, node, unused)
    else translator.value(node)
    return
  }
  const root = unwrapped(callee.object)
  const meaning = root.type === 'Identifier' ? meaningOf(translator, root) : undefined
  const isKnown = meaning !== undefined && ['shared', 'namespace', 'object'].includes(meaning.kind)
  if (isKnown) translator.value(node)
  else opaqueStatement(translator, node)
}

function ifStatement(translator: Translator, node: Extract<Statement, { type: 'IfStatement' }>): void {
  const condition = expression(translator, node.test)
  const { consequent, alternate } = node
  const then = () => block(translator, [consequent])
  const otherwise = () => (alternate === null ? undefined : block(translator, [alternate]))
  if (condition.kind !== 'literal') translator.branch(node, condition, then, otherwise)
  else if (condition.value) then()
  else otherwise()
}

function returnStatement(translator: Translator, node: Extract<Statement, { type: 'ReturnStatement' }>): void {
  const { activation } = translator
  const { argument } = node
  if (activation === undefined) return
  if (argument !== null) {
    const written = unwrapped(argument)
    const isPerformed = written.type === 'YieldExpression' || written.type === 'AwaitExpression'
    const inner = isPerformed ? (written.argument === null ? undefined : unwrapped(written.argument)) : written
    const call = inner?.type === 'CallExpression' && (isPerformed || activation.node.async) ? inner : undefined
    if (call !== undefined && tailCall(translator, call)) return
    returnValue(translator, argument, call)
    if (!translator.isOpen) return
  }
  translator.jump(activation.returnTo, node)
}

function returnValue(
  translator: Translator,
  argument: Node,
  call: Extract<Node, { type: 'CallExpression' }> | undefined,
): void {
  const variable = translator.activation?.result
  const target = variable === undefined ? undefined : { hint: variable, variable }
  const callee = call === undefined ? undefined : translator.value(call.callee)
  // In an async function `return f()` is `return await f()`.
  const isAwaited = callee !== undefined && (callee.kind === 'operation' || callee.kind === 'function')
  const meaning =
    call !== undefined && isAwaited
      ? translator.parts.call(translator, callee, call, { target, isUsed: variable !== undefined })
      : variable === undefined && !translator.writes(() => translator.value(argument))
        ? undefined
        : translator.value(argument, target)
  if (variable === undefined || meaning === undefined || !translator.isOpen) return
  translator.assign(argument, variable, expressionOf(translator, argument, meaning))
}

function jumpStatement(
  translator: Translator,
  node: Extract<Statement, { type: 'BreakStatement' | 'ContinueStatement' }>,
): void {
  const words = node.type === 'BreakStatement' ? 'break' : 'continue'
  const to = words === 'break' ? translator.breakTo : translator.continueTo
  if (to !== undefined) translator.jump(to, node)
}

function loopStatement(
  translator: Translator,
  node: Extract<
    Statement,
    { type: 'WhileStatement' | 'DoWhileStatement' | 'ForStatement' | 'ForOfStatement' | 'ForInStatement' }
  >,
): void {
  if (localLoop(translator, node)) return
  switch (node.type) {
    case 'WhileStatement':
      whileLoop(translator, node)
      return
    case 'DoWhileStatement':
      doWhileLoop(translator, node)
      return
    case 'ForStatement':
      forLoop(translator, node)
      return
    case 'ForOfStatement':
      forOfLoop(translator, node)
      return
    case 'ForInStatement':
      translator.refuse(node, outside('for…in with operations inside', 'write out what happens for each field'))
  }
}
