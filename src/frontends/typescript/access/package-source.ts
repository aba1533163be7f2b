/**
 * Packages as they are published, made into what the rewriting understands: variables of a module that bundlers declare with `var`
 * and never assign again, and async functions that compilers wrote as generators (`__awaiter` of TypeScript's helpers).
 */
import MagicString from 'magic-string'
import type { Argument, CallExpression, Function as FunctionNode, Node, VariableDeclarator } from 'oxc-parser'
import { parse } from '../parse.ts'
import { childrenOf, isClass, isFunction, isReference, walk } from '../syntax.ts'

/** The text with the same lines, and perhaps some behind; as it is where it cannot be parsed. */
export function packageSource(source: string, file: string): string {
  const parsed = parse(source, file)
  if (!parsed.ok || parsed.value.isCommonJs) return source
  const { program } = parsed.value
  const text = new MagicString(source)
  for (const node of program.body) {
    if (node.type === 'VariableDeclaration' && node.kind === 'var' && node.declarations.every(({ init }) => init)) {
      text.update(node.start, node.start + 'var'.length, 'let')
      for (const declarator of node.declarations) forgetItself(text, declarator)
    }
  }
  const asked = new Set<Clock>()
  walk(program, {
    enter(node) {
      const written = awaiterCall(node)
      if (written !== undefined) writeAsync(text, written)
      iterateDirectly(text, node)
      const clock = clockCall(node)
      if (clock === undefined) return
      text.update(node.start, node.end, `${clocks[clock]}()`)
      asked.add(clock)
    },
  })
  // At the end, where it moves nothing.
  for (const clock of asked) text.append(`\nimport { ${clock} as ${clocks[clock]} } from 'allways/access'`)
  return text.toString()
}

/** `var E = (…)(E || {})`, as compilers write enumerations: a variable of `let` could not be read there, where it is undefined. */
function forgetItself(text: MagicString, declarator: VariableDeclarator): void {
  const { id, init } = declarator
  if (id.type !== 'Identifier' || init === null) return
  const visit = (node: Node, parent: Node): void => {
    // A class has its own name inside, which is another variable.
    if (isFunction(node) || isClass(node)) return
    if (node.type === 'Identifier' && node.name === id.name && isReference(node, parent)) {
      const isShorthand = parent.type === 'Property' && parent.shorthand
      text.update(node.start, node.end, isShorthand ? `${id.name}: void 0` : 'void 0')
    }
    for (const inner of childrenOf(node)) visit(inner, node)
  }
  visit(init, declarator)
}

/** `__values(x)` of TypeScript's helpers, which takes the iterator of `x` in a way that nobody sees. */
function iterateDirectly(text: MagicString, node: Node): void {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return
  const [given, ...others] = node.arguments
  if (!/^__values(?:\d+|\$\d+)?$/.test(node.callee.name) || given === undefined || others.length > 0) return
  text.update(node.callee.start, node.callee.end, '')
  text.appendLeft(node.end, '[Symbol.iterator]()')
}

type Clock = 'dateNow' | 'performanceNow'

const clocks: { readonly [clock in Clock]: string } = { dateNow: '$$$dateNow', performanceNow: '$$$performanceNow' }

/** `Date.now()`, also where constructors call it: packages live with the time that timers have made. */
function clockCall(node: Node): Clock | undefined {
  if (node.type !== 'CallExpression' || node.arguments.length > 0) return undefined
  const { callee } = node
  if (callee.type !== 'MemberExpression' || callee.computed || callee.object.type !== 'Identifier') return undefined
  if (callee.property.type !== 'Identifier' || callee.property.name !== 'now') return undefined
  return { Date: 'dateNow', performance: 'performanceNow' }[callee.object.name] as Clock | undefined
}

interface Awaiter {
  readonly call: CallExpression
  readonly given: Argument
  readonly body: FunctionNode
}

/** `__awaiter(this, arguments, void 0, function* (…) { … })`. */
function awaiterCall(node: Node): Awaiter | undefined {
  if (node.type !== 'CallExpression' || node.arguments.length !== 4) return undefined
  const { callee } = node
  if (callee.type !== 'Identifier' || !/^__awaiter(?:\$\d+)?$/.test(callee.name)) return undefined
  const [self, given, , body] = node.arguments
  if (self?.type !== 'ThisExpression' && !isVoid(self)) return undefined
  if (given === undefined || body?.type !== 'FunctionExpression' || !body.generator || body.body === null)
    return undefined
  return { call: node, given, body }
}

function isVoid(node: Node | undefined): boolean {
  return node?.type === 'UnaryExpression' && node.operator === 'void'
}

/** An async arrow function, called at once: `this` is the one around it, as it was given. */
function writeAsync(text: MagicString, { call, given, body }: Awaiter): void {
  const { params, body: block } = body
  if (block === null) return
  const first = params[0]?.start ?? block.start
  const lines = text.original.slice(call.start, first).replaceAll(/[^\n]/g, '')
  text.update(call.start, first, `(async (${params.length === 0 ? ') => ' : ''}${lines}`)
  if (params.length > 0) {
    const end = params.at(-1)?.end ?? block.start
    text.update(end, block.start, ') => ')
  }
  const isArguments = given.type === 'Identifier' && given.name === 'arguments'
  text.update(block.end, call.end, `)(${isArguments ? '...arguments' : ''})`)
  writeAwaits(text, block)
}

/** `yield x` becomes `await (x)`; functions inside have yields of their own. */
function writeAwaits(text: MagicString, node: Node): void {
  for (const inner of childrenOf(node)) {
    if (isFunction(inner)) continue
    if (inner.type === 'YieldExpression' && inner.argument === null)
      text.update(inner.start, inner.end, 'await undefined')
    else if (inner.type === 'YieldExpression' && inner.argument !== null) {
      text.update(inner.start, inner.argument.start, 'await (')
      text.appendLeft(inner.argument.end, ')')
    }
    writeAwaits(text, inner)
  }
}
