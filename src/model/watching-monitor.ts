/** Monitors that are written as machines are: a state, what changes it, and when it is hot. */

import { answerText, isLater } from '../core/answer.ts'
import type { Notification, Operation } from '../core/operation.ts'
import { checkShape, isFunction, needed, type Shapes, shapes } from '../core/option-shape.ts'
import { mistake } from '../core/running.ts'
import type { Value } from '../core/value.ts'
import type { Handler } from '../program/system-definition.ts'
import type { WatchDefinition } from '../program/watch.ts'
import { describe } from './describe.ts'
import { cold, hot, type OfKind, receive } from './process.ts'

interface WatchedMessage {
  readonly kind: string
}

/** A monitor with a state: executions without end can be followed with it. */
export interface WatchParts<State, Message extends WatchedMessage> {
  /** The state at the beginning; plain data. */
  readonly state: () => State
  /** By kind of what is sent or announced: changes the state, or returns another. */
  readonly on: {
    readonly [Kind in Message['kind']]?: (
      state: State,
      message: [OfKind<Message, Kind>] extends [never] ? Message : OfKind<Message, Kind>,
      // biome-ignore lint/suspicious/noConfusingVoidType: handlers that change the state return nothing
    ) => State | void
  }
  /** False where it waits for nothing, and otherwise what it waits for. */
  readonly hot: (state: State) => boolean | string
}

const partShapes: Shapes<WatchParts<unknown, WatchedMessage>> = {
  state: needed(shapes.func),
  on: needed(shapes.record),
  hot: needed(shapes.func),
}

export function watchDefinition(name: string, parts: object, stack: string | undefined): WatchDefinition {
  checkShape(parts, partShapes, { of: `monitor "${name}"`, noun: 'part', stack })
  const { state, on, hot: isHot } = parts as WatchParts<Value, WatchedMessage>
  for (const [kind, handler] of Object.entries(on)) {
    if (!isFunction(handler))
      mistake({
        code: 'E107',
        message: `"${kind}" in "on" of monitor "${name}" is ${describe(handler)}, and not a function`,
        hint: `on: { ${kind}(state, message) { … } }`,
        stack,
      })
  }
  return { name, state, on: new Map(Object.entries(on) as [string, Handler][]), hot: isHot, stack }
}

/** The same as a process, which is told in causal order. */
export function* watchingBody({ name, state, on, hot: isHot }: WatchDefinition): Generator<Operation, void, unknown> {
  let now = known(name, '"state"', state())
  for (;;) {
    const waitsFor = isHot(now as Value)
    if (typeof waitsFor !== 'boolean' && typeof waitsFor !== 'string') wrongAnswer(name, waitsFor)
    if (waitsFor === false || waitsFor === '') yield* cold()
    else yield* hot(waitsFor === true ? 'what it waits for has not come about' : waitsFor)
    const { message } = (yield* receive<Notification<WatchedMessage>>()) as Notification<WatchedMessage>
    now = known(name, `"${message.kind}" in "on"`, on.get(message.kind)?.(now, message)) ?? now
  }
}

/** A promise would be the state from then on, and have none of its fields. */
function known<State>(monitor: string, part: string, state: State): State {
  if (!isLater(state)) return state
  return mistake({
    code: 'E214',
    message: `${part} of monitor "${monitor}" returned ${answerText(state)}`,
    hint: 'a state is plain data, and what changes it returns at once: it cannot be async',
  })
}

function wrongAnswer(name: string, answer: unknown): never {
  return mistake({
    code: 'E214',
    message: `"hot" of monitor "${name}" returned ${answerText(answer)}`,
    hint: 'return false where it waits for nothing, and what it waits for where it does',
  })
}
