/** Operations of allways to statements of the term. */
import type { Node } from 'oxc-parser'
import type { Expression } from '../../../program/icet.ts'
import { unwrapped } from '../access/tree.ts'
import { countOf } from './counts.ts'
import { type Meaning, undefinedValue } from './meaning.ts'
import { asValue, expressionOf, localised, refuseShared } from './names.ts'
import { sharedObjects } from './operation-names.ts'
import { kindsAccepted } from './receive-filter.ts'
import { notAnAddress, outside, undecided } from './refusal.ts'
import { spawn, spawnAll } from './spawns.ts'
import type { Target, Translator, Wanted } from './translator.ts'
import { inOrder } from './values.ts'

type Call = Extract<Node, { type: 'CallExpression' }>

/** Operations that are not here are refused by name: a new operation is never taken for one that does nothing. */
export function perform(translator: Translator, name: string, node: Call, { target, isUsed }: Wanted): Meaning {
  const most = mostArguments[name]
  const extra = most === undefined ? undefined : node.arguments[most]
  if (extra !== undefined) translator.refuse(extra, outside(`an argument that ${name} does not take`, 'leave it out'))
  switch (name) {
    case 'self':
      return asValue(translator, { kind: 'self' })
    case 'send':
      return send(translator, node)
    case 'receive':
      return receive(translator, node, target, isUsed)
    case 'choose':
      return choose(translator, node, target)
    case 'assert':
      return assertion(translator, node)
    case 'assume':
      translator.emit<'assume'>(node, { kind: 'assume', condition: argument(translator, node, 0) })
      return undefinedValue
    case 'announce':
      // Only monitors hear it, and prove does not decide those.
      inOrder(translator, node.arguments)
      return undefinedValue
    case 'spawn':
      return spawn(translator, node)
    case 'spawnAll':
      return spawnAll(translator, node)
    case 'repeat':
      return repeat(translator, node)
    default:
      return refuseOperation(translator, name, node)
  }
}

const mostArguments: { readonly [name: string]: number } = {
  self: 0,
  send: 3,
  receive: 2,
  choose: 1,
  assert: 2,
  assume: 1,
  announce: 1,
  repeat: 2,
}

function refuseOperation(translator: Translator, name: string, node: Call): never {
  if (name === 'join') {
    const hint = 'let the process send a message when it is done, and receive that'
    translator.refuse(node, undecided('join', hint))
  }
  if (name === 'poll') {
    const hint = 'use receive; what may happen instead of a message, let another process send'
    translator.refuse(node, undecided('poll', hint))
  }
  if (sharedObjects.has(name)) return refuseShared(translator, node, { kind: 'shared', what: `${name}()` })
  return translator.refuse(node, undecided(name, 'use send, receive, choose, assert, assume, spawn and spawnAll'))
}

function argument(translator: Translator, node: Call, index: number): Expression {
  const written = node.arguments[index]
  if (written === undefined) return { kind: 'literal', value: undefined }
  return expressionOf(translator, written, translator.value(written))
}

function send(translator: Translator, node: Call): Meaning {
  const [to, message, options] = node.arguments
  if (to === undefined || message === undefined) {
    return translator.refuse(
      node,
      notAnAddress('send(…) needs an address and a message', 'write send(address, message)'),
    )
  }
  const values = inOrder(translator, node.arguments)
  if (options !== undefined) checkNetwork(translator, options, values[2] as Meaning)
  const address = addressOf(translator, to, values[0] as Meaning, 'send')
  translator.emit<'send'>(node, {
    kind: 'send',
    to: address,
    message: expressionOf(translator, message, values[1] as Meaning),
  })
  return undefinedValue
}

function checkNetwork(translator: Translator, written: Node, options: Meaning): void {
  const network = options.kind === 'object' ? options.fields.get('network') : undefined
  const isAlone = options.kind === 'object' && options.fields.size === (network === undefined ? 0 : 1)
  if (isAlone && (network === undefined || isFifo(network))) return
  translator.refuse(written, undecided('networks other than fifo', 'leave out the network of this message'))
}

export function isFifo(network: Meaning): boolean {
  if (network.kind !== 'value' || network.expression.kind !== 'literal') return false
  return network.expression.value === 'fifo' || network.expression.value === 'p2p'
}

function addressOf(translator: Translator, node: Node, meaning: Meaning, operation: string): Expression {
  if (meaning.kind === 'set') {
    const hint = `write for (const one of …) { yield* send(one, …) }`
    translator.refuse(
      node,
      notAnAddress(`${operation} gets the set of processes "${meaning.name}" instead of one`, hint),
    )
  }
  const expression = expressionOf(translator, node, meaning)
  if (!mayBeAddress(expression)) refuseAddress(translator, node, operation)
  return expression
}

function refuseAddress(translator: Translator, node: Node, operation: string): never {
  return translator.refuse(node, unknownAddress(operation, translator.frame.module.line(node)))
}

export function unknownAddress(operation: string, text: string) {
  const hint = 'addresses come from spawn, self, fields of messages, for…of over a set and choose(…)'
  return notAnAddress(`${operation} cannot tell which process "${text}" is`, hint)
}

/** By its form alone. Whether a variable ever holds an address is asked of the whole term (`term-checks.ts`). */
function mayBeAddress(expression: Expression): boolean {
  switch (expression.kind) {
    case 'self':
    case 'process':
    case 'variable':
      return true
    case 'field':
      return mayBeAddress(expression.of)
    case 'either':
      return mayBeAddress(expression.then) && mayBeAddress(expression.otherwise)
    default:
      return false
  }
}

function receive(translator: Translator, node: Call, target: Target | undefined, isUsed: boolean): Meaning {
  const [first, second] = node.arguments
  const written = first === undefined ? undefined : unwrapped(first)
  const isOptions = written !== undefined && written.type === 'ObjectExpression'
  const kinds = first === undefined || isOptions ? undefined : kindsAccepted(translator, first)
  const options = isOptions ? first : second
  const from = options === undefined ? undefined : senderOf(translator, options)
  if (!isUsed) {
    translator.emit<'receive'>(node, { kind: 'receive', variable: undefined, kinds, from })
    return undefinedValue
  }
  // A message without a name of its own is called by its kind, as in the printed program.
  const only = kinds?.length === 1 ? kinds[0] : undefined
  const hint = only !== undefined && /^[a-z]\w*$/i.test(only) ? only : 'message'
  const variable = translator.variableFor(target, hint)
  translator.process.messages.add(variable)
  translator.emit<'receive'>(node, { kind: 'receive', variable, kinds, from })
  return asValue(translator, { kind: 'variable', name: variable })
}

function senderOf(translator: Translator, options: Node): Expression {
  const meaning = translator.value(options)
  const from = meaning.kind === 'object' && meaning.fields.size === 1 ? meaning.fields.get('from') : undefined
  if (from === undefined) {
    const hint = "write receive('kind', { from: address }) or receive({ from: address })"
    return translator.refuse(options, outside('an option of receive that is not written in place', hint))
  }
  return addressOf(translator, options, localised(translator, options, from), 'receive from')
}

function choose(translator: Translator, node: Call, target: Target | undefined): Meaning {
  const [written] = node.arguments
  const options = written === undefined ? undefined : translator.value(written)
  if (options?.kind === 'set') {
    const variable = translator.variableFor(target, 'chosen')
    translator.emit<'pick'>(node, { kind: 'pick', variable, set: options.name })
    return asValue(translator, { kind: 'variable', name: variable })
  }
  if (written === undefined || options?.kind !== 'list') {
    const hint = 'write the options down: choose([first, second]); or pass the set that spawnAll gave'
    return translator.refuse(node, outside('choose among options that are not written down', hint))
  }
  const expressions = options.elements.map((element) => expressionOf(translator, written, element))
  const variable = translator.variableFor(target, 'chosen')
  translator.emit<'choose'>(node, { kind: 'choose', variable, options: expressions })
  return asValue(translator, { kind: 'variable', name: variable })
}

function assertion(translator: Translator, node: Call): Meaning {
  const [written, text] = node.arguments
  const [value = undefinedValue] = inOrder(translator, node.arguments)
  const condition = expressionOf(translator, written ?? node, value)
  const message = text === undefined ? 'assertion failed' : messageText(translator, text)
  if (condition.kind === 'literal') {
    if (!condition.value) translator.fail(node, message)
  } else translator.emit<'assert'>(node, { kind: 'assert', condition, message })
  return undefinedValue
}

/** What a failure says: the text if it is written down, else the expression that makes it. */
export function messageText(translator: Translator, node: Node): string {
  const written = unwrapped(node)
  if (written.type === 'NewExpression' && written.arguments[0] !== undefined) {
    return messageText(translator, written.arguments[0])
  }
  if (written.type === 'Literal') return String(written.value)
  if (written.type === 'TemplateLiteral') return translator.frame.module.line(written).slice(1, -1)
  return translator.frame.module.line(written)
}

function repeat(translator: Translator, node: Call): Meaning {
  const [times, written] = node.arguments
  const body = written === undefined ? undefined : translator.value(written)
  if (times === undefined || body?.kind !== 'function') {
    return translator.refuse(node, outside('repeat without a function', 'write repeat(count, function* (index) { … })'))
  }
  const count = countOf(translator, times)
  if (!body.node.generator && !body.node.async) {
    translator.refuse(node, outside('repeat of a function that performs nothing', 'write function* (index) { … }'))
  }
  const [parameter] = body.node.params
  const hint = parameter?.type === 'Identifier' ? parameter.name : 'round'
  const index = parameter === undefined ? undefined : translator.fresh(hint)
  if (index !== undefined) translator.process.named.add(index)
  const args = index === undefined ? [] : [asValue(translator, { kind: 'variable', name: index })]
  translator.loop(
    { kind: 'repeat' },
    node,
    (inner) => ({ kind: 'repeat', index, count, body: inner }) as never,
    () => {
      translator.parts.inlined(translator, { callee: body, node, args })
    },
  )
  return undefinedValue
}
