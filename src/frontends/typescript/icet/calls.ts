/**
 * Calls of functions of the user. Those that perform operations are inlined with variables of their own, a function that calls
 * itself in the end is a loop (Brisk §5.1, fig. 5.4); a pure function is an expression, or nothing is known about it.
 */
import type { Node } from 'oxc-parser'
import { partsOf } from '../../../program/icet.ts'
import { evaluatedWith, unwrapped } from '../access/tree.ts'
import type { FunctionLike } from '../syntax.ts'
import { assignedSince, mentions } from './conditions.ts'
import { hasReturn, isSelfCall, returnsOf, selfCalls, tailsOf } from './function-shape.ts'
import type { Activation, Jump } from './jumps.ts'
import { type Meaning, type MeaningOf, mapValues, NameFrame, undefinedValue } from './meaning.ts'
import { asValue, expressionOf, refuseShared } from './names.ts'
import { opaque, opaqueStatement } from './opaque.ts'
import { perform } from './operations.ts'
import { bindParameter, bindParameters, substitute } from './parameters.ts'
import { assignTogether, bindVariable } from './patterns.ts'
import { outside, Refusal } from './refusal.ts'
import { refuseNotOwned } from './survey.ts'
import type { Calling, Translator, Wanted } from './translator.ts'
import { inFrame } from './translator.ts'
import { inOrder, performed } from './values.ts'

type Call = Extract<Node, { type: 'CallExpression' }>

export function call(translator: Translator, callee: Meaning, node: Call, wanted: Wanted): Meaning {
  switch (callee.kind) {
    case 'operation':
      return perform(translator, callee.name, node, wanted)
    case 'function':
      return isPlain(callee.node)
        ? computed(translator, callee, node, wanted)
        : inlined(translator, { callee, node, args: argumentsFor(translator, callee, node) }, wanted)
    case 'shared':
      return refuseShared(translator, node, callee)
    case 'broken':
      throw new Refusal(undefined)
    default: {
      const hint = 'perform operations of allways, and generator or async functions of your own files'
      return translator.refuse(node, outside('performing what is not an operation', hint))
    }
  }
}

function isPlain({ generator, async }: FunctionLike): boolean {
  return !generator && !async
}

/** Objects that the function changes are those of the caller, who must be the only one to hold them. */
function argumentsFor(translator: Translator, { node, frame }: MeaningOf<'function'>, call: Call): readonly Meaning[] {
  for (const [index, parameter] of node.params.entries()) {
    const binding = frame.module.bindingOf(parameter)
    const argument = call.arguments[index]
    const isChanged = binding !== undefined && frame.module.mutated.has(binding)
    if (isChanged && argument !== undefined) refuseNotOwned(translator, argument)
  }
  return argumentsOf(translator, call)
}

function argumentsOf(translator: Translator, node: Call): readonly Meaning[] {
  const spread = node.arguments.find(({ type }) => type === 'SpreadElement')
  if (spread !== undefined) translator.refuse(spread, outside('a spread argument', 'write the arguments one by one'))
  return inOrder(translator, node.arguments)
}

/** A function that performs nothing. */
function computed(translator: Translator, callee: MeaningOf<'function'>, node: Call, wanted: Wanted): Meaning {
  const { target, isUsed } = wanted
  const body = onlyExpression(callee.node)
  const isActive = activeIn(translator, callee.node)
  if (body !== undefined && !isActive) {
    const args = argumentsFor(translator, callee, node)
    const frame = new NameFrame(callee.frame.module, callee.frame)
    const { out } = translator
    const before = out.length
    const result = withActivation(translator, plainActivation(translator, callee.node), () => {
      inFrame(translator, frame, () => bindParameters(translator, { callee, node, args }, substitute))
      return inFrame(translator, frame, () => translator.value(body, target))
    })
    refuseStale(translator, node, args, assignedSince(out, before))
    return result
  }
  if (!isActive && (mayFail(callee.node) || makesRecord(callee.node) || handsOverAddress(translator, node))) {
    return inlined(translator, { callee, node, args: argumentsFor(translator, callee, node) }, wanted)
  }
  if (isUsed) return opaque(translator, node, target)
  opaqueStatement(translator, node)
  return undefinedValue
}

/** Arguments stand in the expression where parameters do: what it assigns must not be in them. */
function refuseStale(
  translator: Translator,
  node: Call,
  args: readonly Meaning[],
  assigned: ReadonlySet<string | undefined>,
): void {
  for (const [index, argument] of args.entries()) {
    mapValues(argument, (one) => {
      if (!mentions(one.expression, assigned)) return one
      const hint = 'keep the argument in a constant first: const before = …'
      const at = node.arguments[index] ?? node
      return translator.refuse(at, outside('an argument that the function itself changes', hint))
    })
  }
}

function plainActivation(translator: Translator, node: FunctionLike): Activation {
  const returnTo: Jump = { kind: 'end' }
  return { node, outer: translator.activation, returnTo, result: undefined, tails: new Set(), recursion: undefined }
}

function onlyExpression({ body }: FunctionLike): Node | undefined {
  if (body === null) return undefined
  if (body.type !== 'BlockStatement') return body
  const [first, ...more] = body.body
  return first?.type === 'ReturnStatement' && more.length === 0 ? (first.argument ?? undefined) : undefined
}

/** A `throw` must be seen by the prover, so the function cannot become opaque. */
function mayFail({ body }: FunctionLike): boolean {
  return body !== null && [...evaluatedWith(body)].some(({ type }) => type === 'ThrowStatement')
}

/** Its result is a message or part of one, whose fields matter. */
function makesRecord(node: FunctionLike): boolean {
  return returnsOf(node).some(({ argument }) => argument !== null && unwrapped(argument).type === 'ObjectExpression')
}

/** An address that goes into an opaque computation could not be traced when it comes out. */
function handsOverAddress(translator: Translator, node: Call): boolean {
  let found = false
  translator.writes(() => {
    found = argumentsOf(translator, node).some((meaning, index) => {
      if (meaning.kind === 'set' || meaning.kind === 'function') return false
      const expression = expressionOf(translator, node.arguments[index] as Node, meaning)
      return [...partsOf(expression)].some(({ kind }) => kind === 'self' || kind === 'process')
    })
  })
  return found
}

/** The body of a process, from its beginning to its end. */
export function processBody(translator: Translator, calling: Calling): void {
  run(translator, calling, undefined, { kind: 'end' })
}

/** There are no functions in the term: each call is a copy of the body. A tail call of itself is the next round of a loop. */
export function inlined(translator: Translator, calling: Calling, wanted: Wanted): Meaning {
  const { callee, node } = calling
  if (activeIn(translator, callee.node)) {
    translator.refuse(node, {
      code: 'E409',
      message: 'the function calls itself before its end, so prove cannot read the recursion as a loop',
      hint: 'make the call the last thing the function does: return yield* f(…); or write a loop',
    })
  }
  const { body } = callee.node
  const isRecursive = selfCalls(callee).length > 0
  const last = body?.type === 'BlockStatement' ? body.body.at(-1) : undefined
  const isDirect = last?.type === 'ReturnStatement' && last.argument !== null && returnsOf(callee.node).length === 1
  if (body !== null && !isRecursive && (isDirect || body.type !== 'BlockStatement')) {
    return direct(translator, calling, wanted)
  }
  const hasResult = wanted.isUsed && hasReturn(callee.node)
  const result = hasResult ? translator.variableFor(wanted.target, 'result') : undefined
  if (result !== undefined) translator.process.mutable.add(result)
  if (isRecursive) run(translator, calling, result, undefined)
  else {
    translator.bounded((boundary) => run(translator, calling, result, { kind: 'fall', boundary }))
  }
  return result === undefined ? undefinedValue : asValue(translator, { kind: 'variable', name: result })
}

/** Its only `return` is its last statement: the value needs no variable. */
function direct(translator: Translator, calling: Calling, wanted: Wanted): Meaning {
  const { callee } = calling
  const frame = new NameFrame(callee.frame.module, callee.frame)
  bindParametersFrom(translator, calling, frame)
  const { body } = callee.node
  const statements: readonly Node[] = body?.type === 'BlockStatement' ? body.body.slice(0, -1) : []
  const last = body?.type === 'BlockStatement' ? body.body.at(-1) : undefined
  const result = last?.type === 'ReturnStatement' ? last.argument : body
  return withActivation(translator, plainActivation(translator, callee.node), () =>
    inFrame(translator, frame, () => {
      translator.parts.block(translator, statements)
      if (result === null || !translator.isOpen) return undefinedValue
      const performs = unwrapped(result)
      if (callee.node.async && performs.type === 'CallExpression') {
        return call(translator, translator.value(performs.callee), performs, wanted)
      }
      if (performs.type !== 'YieldExpression' && performs.type !== 'AwaitExpression') {
        return translator.value(result, wanted.target)
      }
      return performed(translator, performs, wanted)
    }),
  )
}

function run(translator: Translator, calling: Calling, result: string | undefined, returnTo: Jump | undefined): void {
  const { callee, node } = calling
  const frame = new NameFrame(callee.frame.module, callee.frame)
  const { body } = callee.node
  const activation = { node: callee.node, outer: translator.activation, result, tails: tailsOf(callee.node) }
  const write = (complete: Activation) => {
    withActivation(translator, complete, () =>
      inFrame(translator, frame, () => {
        if (body?.type === 'BlockStatement') translator.parts.block(translator, body.body)
        else if (body !== null) translator.value(body)
      }),
    )
    // A function that ends without `return` gives undefined, also where an earlier round left another value.
    if (result !== undefined && translator.isOpen)
      translator.assign(node, result, { kind: 'literal', value: undefined })
  }
  const calls = selfCalls(callee)
  if (calls.length === 0) {
    bindParametersFrom(translator, calling, frame)
    write({ ...activation, returnTo: returnTo ?? { kind: 'end' }, recursion: undefined })
    return
  }
  const parameters = bindRecursive(translator, calling, frame, calls)
  translator.loop(
    { kind: 'while', endsFunction: true },
    node,
    (inner) => ({ kind: 'while', body: inner }),
    (loop) => {
      const leave: Jump = { kind: 'loop', loop, how: 'break' }
      write({ ...activation, returnTo: returnTo ?? leave, recursion: { loop, parameters } })
      if (translator.isOpen) translator.jump(leave, node)
    },
  )
}

/** Parameters that every round passes on unchanged need no variables, so that they may be addresses of processes and sets. */
function bindRecursive(
  translator: Translator,
  { callee, node, args }: Calling,
  frame: NameFrame,
  calls: readonly Call[],
): readonly (string | undefined)[] {
  const { module } = callee.frame
  return callee.node.params.map((parameter, index) => {
    const own = module.bindingOf(parameter)
    const isKept = calls.every((one) => {
      const argument = one.arguments[index]
      return argument !== undefined && own !== undefined && module.bindingOf(unwrapped(argument)) === own
    })
    const meaning = args[index] ?? undefinedValue
    if (isKept || parameter.type !== 'Identifier') {
      if (!isKept) refuseParameter(translator, parameter, frame)
      inFrame(translator, frame, () => bindParameter(translator, parameter, meaning))
      return undefined
    }
    const value = expressionOf(translator, node, meaning)
    const variable = translator.fresh(parameter.name)
    translator.process.mutable.add(variable)
    translator.assign(node, variable, value)
    inFrame(translator, frame, () => bindVariable(translator, parameter, variable, undefined))
    return variable
  })
}

function refuseParameter(translator: Translator, parameter: Node, frame: NameFrame): never {
  return inFrame(translator, frame, () =>
    translator.refuse(
      parameter,
      outside('a pattern or default among the parameters of a recursive function', 'use plain names'),
    ),
  )
}

/** The next round of a function that calls itself in the end. */
export function tailCall(translator: Translator, node: Call): boolean {
  const { activation } = translator
  if (activation?.recursion === undefined || !isSelfCall(translator.frame.module, activation.node, node)) return false
  const { recursion } = activation
  const values = argumentsOf(translator, node)
  const parts = recursion.parameters.flatMap((variable, index) => {
    if (variable === undefined) return []
    const argument = node.arguments[index]
    const meaning = values[index] ?? undefinedValue
    return [{ variable, value: expressionOf(translator, argument ?? node, meaning) }]
  })
  assignTogether(translator, node, parts)
  translator.jump({ kind: 'loop', loop: recursion.loop, how: 'continue' }, node)
  return true
}

function bindParametersFrom(translator: Translator, calling: Calling, frame: NameFrame): void {
  inFrame(translator, frame, () => bindParameters(translator, calling, bindParameter))
}

function activeIn({ activation }: Translator, node: FunctionLike): boolean {
  for (let one = activation; one !== undefined; one = one.outer) if (one.node === node) return true
  return false
}

function withActivation<T>(translator: Translator, activation: Activation, body: () => T): T {
  const outer = translator.activation
  translator.activation = activation
  let result: T | undefined
  translator.withJumps(undefined, undefined, () => {
    result = body()
  })
  translator.activation = outer
  return result as T
}
