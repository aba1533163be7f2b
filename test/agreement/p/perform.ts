/** Statements and functions. */
import type { Expression, Statement, StatementOf, Target } from '../../../src/frontends/p/ast.ts'
import type { FunctionSymbol, VariableSymbol } from '../../../src/frontends/p/symbols.ts'
import {
  all,
  created,
  type Evaluating,
  elementAt,
  evaluate,
  fieldOf,
  isTrue,
  map,
  mayBeSent,
  meaningOf,
  number,
  payloadOf,
} from './evaluate.ts'
import { emit, type Frame, fail, type Handling, type Jump, Jumped, type Message, take, tick } from './handling.ts'
import { defaultOf, elementsOf, lookup, mapWith, mapWithout, nothing, setOf, textOf, type Value } from './value.ts'

export function call(callee: FunctionSymbol, args: readonly Value[], { handling }: { handling: Handling }): Value {
  if (callee.body === undefined) throw new Error(`${callee.name} is written elsewhere`)
  tick(handling)
  const frame: Evaluating = { handling, locals: new Map(), call }
  enter(callee, args, frame)
  try {
    performAll(callee.body, frame)
  } catch (error) {
    const jump = jumpOf(error)
    if (jump.kind === 'return') return jump.value
    throw error
  }
  return nothing
}

/** What an error tells, if it is one of ours. */
export function jumpOf(error: unknown): Jump {
  if (error instanceof Jumped) return error.jump
  throw error
}

function enter({ params, locals }: FunctionSymbol, args: readonly Value[], frame: Frame): void {
  for (const local of locals) frame.locals.set(local, defaultOf(local.type))
  for (const [at, param] of params.entries()) frame.locals.set(param, args[at] ?? nothing)
}

function performAll(statements: readonly Statement[], frame: Evaluating): void {
  for (const statement of statements) perform(statement, frame)
}

function perform(statement: Statement, frame: Evaluating): void {
  tick(frame.handling)
  switch (statement.kind) {
    case 'block':
      return performAll(statement.body, frame)
    case 'empty':
    case 'assume':
      return
    case 'break':
    case 'continue':
      throw new Jumped({ kind: statement.kind })
    case 'print':
      evaluate(statement.message, frame)
      return
    case 'if': {
      const branch = isTrue(evaluate(statement.condition, frame)) ? statement.then : statement.otherwise
      return branch && perform(branch, frame)
    }
    case 'while':
      return performWhile(statement, frame)
    case 'foreach':
      return performForeach(statement, frame)
    case 'return':
      throw new Jumped({ kind: 'return', value: valueOrNothing(statement.value, frame) })
    case 'assert':
      if (!isTrue(evaluate(statement.condition, frame))) failAssertion(statement.message, frame)
      return
    case 'assign':
    case 'insert':
    case 'add':
    case 'remove':
      return change(statement, frame)
    default:
      return act(statement, frame)
  }
}

/** The message is made only then, and may fail by itself. */
function failAssertion(message: Expression | undefined, frame: Evaluating): never {
  valueOrNothing(message, frame)
  return fail('assertion')
}

function valueOrNothing(expression: Expression | undefined, frame: Evaluating): Value {
  return expression === undefined ? nothing : evaluate(expression, frame)
}

function performWhile({ condition, body }: StatementOf<'while'>, frame: Evaluating): void {
  while (isTrue(evaluate(condition, frame))) {
    if (performRound(body, frame) === 'break') return
  }
}

/** Over the elements as they were at first; the variable keeps its last value. */
function performForeach({ variable, over, body }: StatementOf<'foreach'>, frame: Evaluating): void {
  const meaning = frame.handling.subject.checked.meanings.get(variable)
  if (meaning?.kind !== 'local' && meaning?.kind !== 'field') throw new Error(`${variable.text} is not a variable`)
  for (const element of elementsOf(evaluate(over, frame))) {
    assignVariable(meaning, element, frame)
    if (performRound(body, frame) === 'break') return
  }
}

function performRound(body: Statement, frame: Evaluating): 'break' | 'continue' {
  tick(frame.handling)
  try {
    perform(body, frame)
    return 'continue'
  } catch (error) {
    const { kind } = jumpOf(error)
    if (kind === 'break' || kind === 'continue') return kind
    throw error
  }
}

type Change = StatementOf<'assign' | 'insert' | 'add' | 'remove'>

/** Indices of the target come first, then the operands; whether the target exists is seen last. */
function change(statement: Change, frame: Evaluating): void {
  const place = placeOf(statement.target, frame)
  const key = statement.kind === 'insert' || statement.kind === 'remove' ? evaluate(statement.key, frame) : nothing
  const value = statement.kind === 'remove' ? nothing : evaluate(statement.value, frame)
  if (statement.kind === 'assign') return store(place, value, frame)
  const before = load(place, frame)
  if (statement.kind === 'insert') store(place, inserted(before, key, value), frame)
  else if (statement.kind === 'add') store(place, added(before, value), frame)
  else store(place, removed(before, key), frame)
}

function inserted(before: Value, key: Value, value: Value): Value {
  if (before.kind === 'map')
    return lookup(before, key) === undefined ? mapWith(before, key, value) : fail('duplicate key')
  const [items, at] = [elementsOf(before), number(key).is]
  return at < 0 || at > items.length ? fail('index') : { kind: 'seq', items: items.toSpliced(at, 0, value) }
}

function added(before: Value, value: Value): Value {
  return value.kind === 'null' ? fail('null') : setOf([...elementsOf(before), value])
}

function removed(before: Value, key: Value): Value {
  if (before.kind === 'map') return mapWithout(before, key)
  const items = elementsOf(before)
  if (before.kind === 'set') return setOf(items.filter((item) => textOf(item) !== textOf(key)))
  const at = number(key).is
  return at < 0 || at >= items.length ? fail('index') : { kind: 'seq', items: items.toSpliced(at, 1) }
}

/** A variable and the way to one of its parts, with indices evaluated. */
interface Place {
  readonly variable: VariableSymbol
  readonly way: readonly Step[]
}

type Step =
  | { readonly kind: 'item'; readonly index: number }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'element'; readonly index: Value }

function placeOf(target: Target, frame: Evaluating): Place {
  if (target.kind === 'name') {
    const meaning = meaningOf(target, frame)
    if (meaning.kind !== 'local' && meaning.kind !== 'field') throw new Error(`${target.name.text} is not a variable`)
    return { variable: meaning, way: [] }
  }
  if (target.kind !== 'item' && target.kind !== 'field' && target.kind !== 'element') {
    throw new Error(`${target.kind} cannot be assigned to`)
  }
  const { variable, way } = placeOf(target.of, frame)
  if (target.kind === 'item') return { variable, way: [...way, { kind: 'item', index: target.index }] }
  if (target.kind === 'field') return { variable, way: [...way, { kind: 'field', name: target.name.text }] }
  return { variable, way: [...way, { kind: 'element', index: evaluate(target.index, frame) }] }
}

function load({ variable, way }: Place, frame: Evaluating): Value {
  return way.reduce(partOf, variableOf(variable, frame))
}

function partOf(whole: Value, step: Step): Value {
  if (step.kind === 'field') return fieldOf(whole, step.name)
  if (step.kind === 'item') return elementsOf(whole)[step.index] as Value
  return elementAt(whole, step.index)
}

function store({ variable, way }: Place, value: Value, frame: Evaluating): void {
  assignVariable(variable, changed(variableOf(variable, frame), way, value), frame)
}

function changed(whole: Value, way: readonly Step[], value: Value): Value {
  const [step, ...rest] = way
  if (step === undefined) return value
  if (step.kind === 'element' && whole.kind === 'map') {
    const before = rest.length === 0 ? nothing : elementAt(whole, step.index)
    return mapWith(map(whole), step.index, changed(before, rest, value))
  }
  const part = changed(partOf(whole, step), rest, value)
  if (step.kind === 'field' && whole.kind === 'record') {
    return { kind: 'record', fields: whole.fields.map(([name, old]) => [name, name === step.name ? part : old]) }
  }
  if (step.kind === 'field' || !('items' in whole)) throw new Error(`${whole.kind} has no such part`)
  const at = step.kind === 'item' ? step.index : number(step.index).is
  return { kind: whole.kind, items: whole.items.with(at, part) }
}

function variableOf(variable: VariableSymbol, { handling, locals }: Frame): Value {
  const value = variable.kind === 'field' ? handling.self.fields[variable.name] : locals.get(variable)
  if (value === undefined) throw new Error(`${variable.name} has no value`)
  return value
}

function assignVariable(variable: VariableSymbol, value: Value, { handling, locals }: Frame): void {
  if (variable.kind === 'field') handling.self.fields[variable.name] = value
  else locals.set(variable, value)
}

type Act = StatementOf<'new' | 'call' | 'send' | 'raise' | 'announce' | 'goto' | 'receive'>

function act(statement: Act, frame: Evaluating): void {
  const { handling } = frame
  switch (statement.kind) {
    case 'new':
      created(statement.creates.text, payloadOf(statement.args, frame), frame)
      return
    case 'call': {
      const callee = handling.subject.checked.callees.get(statement.callee)
      if (callee === undefined) throw new Error(`${statement.callee.text} is not known`)
      call(callee, all(statement.args, frame), frame)
      return
    }
    case 'goto':
      throw new Jumped({ kind: 'goto', state: statement.state.text, payload: payloadOf(statement.args, frame) })
    case 'receive':
      return receive(statement, frame)
    case 'raise':
      throw new Jumped({ kind: 'raise', ...message(statement.event, statement.args, frame) })
    case 'announce':
      return emit(handling, { kind: 'announce', ...message(statement.event, statement.args, frame) })
    case 'send':
      return send(statement, frame)
  }
}

function message(event: Expression, args: readonly Expression[], frame: Evaluating): Message {
  const name = evaluate(event, frame)
  const payload = payloadOf(args, frame)
  return name.kind === 'event' ? { event: name.is, payload } : fail('null')
}

function send({ to, event, args }: StatementOf<'send'>, frame: Evaluating): void {
  const target = evaluate(to, frame)
  const name = evaluate(event, frame)
  const payload = payloadOf(args, frame)
  if (target.kind !== 'machine' || name.kind !== 'event') fail('null')
  const { sends } = frame.handling.self.machine
  if (sends !== undefined && !sends.includes(name.is)) fail('not permitted')
  // By what the machine receives, and by what it is known as.
  const known = frame.handling.subject.checked.types.get(to)
  if (known?.kind === 'machine' && known.receives?.includes(name.is) === false) fail('not permitted')
  if (!mayBeSent(target, [name.is], frame)) fail('not permitted')
  emit(frame.handling, { kind: 'send', to: target.is, event: name.is, payload })
}

/** A case sees the variables of the function around it, and its own begin anew each time. `return` leaves that function. */
function receive({ cases }: StatementOf<'receive'>, frame: Evaluating): void {
  const { checked } = frame.handling.subject
  const eventsOf = (one: (typeof cases)[number]) => (checked.caseEvents.get(one) ?? []).map(({ name }) => name)
  const { event, payload } = take(frame.handling, cases.flatMap(eventsOf))
  const taken = cases.find((one) => eventsOf(one).includes(event))
  if (taken === undefined) throw new Jumped({ kind: 'raise', event, payload })
  const handler = checked.bodies.get(taken.handler)
  if (handler?.body === undefined) throw new Error('a case without a body')
  enter(handler, [payload], frame)
  performAll(handler.body, frame)
}
