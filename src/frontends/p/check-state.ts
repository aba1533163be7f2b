/** States: what is handled how, and whether the payload of an event suits whoever gets it. */
import type { EventName, HandlerFunction, Name, Span, StateDeclaration, StateItem } from './ast.ts'
import { refuseUnknownEvent } from './declare.ts'
import { declareBody } from './declare-function.ts'
import { type Draft, type Project, refuse, refuseUnknown, stateOf } from './project.ts'
import {
  type EventSymbol,
  type FunctionSymbol,
  type HandlerSymbol,
  haltEvent,
  type MachineSymbol,
  nullEvent,
  type StateSymbol,
} from './symbols.ts'
import type { Type } from './type.ts'
import { isAssignable, typeText } from './type-relations.ts'

export function declareState(project: Project, machine: MachineSymbol, declaration: StateDeclaration): StateSymbol {
  const state: DraftState = {
    kind: 'state',
    name: declaration.name.text,
    isStart: declaration.isStart,
    temperature: declaration.temperature ?? 'warm',
    entry: undefined,
    exit: undefined,
    handlers: new Map(),
    declaration,
  }
  for (const item of declaration.items) {
    if (!('events' in item)) {
      if (state[item.kind] !== undefined) refuseSecond(project, state, item)
      state[item.kind] ??= handlerFunction(project, machine, `${state.name}.${item.kind}`, item.function)
    } else {
      declareHandlers(project, machine, state, item)
    }
  }
  checkParameters(project, state)
  return state
}

type DraftState = Draft<StateSymbol> & { readonly handlers: Map<string, HandlerSymbol> }

type Handling = Exclude<StateItem, { readonly kind: 'entry' | 'exit' }>

function declareHandlers(project: Project, machine: MachineSymbol, state: DraftState, item: Handling): void {
  const isMonitor = machine.kind !== 'machine'
  if (isMonitor && item.kind === 'defer') {
    refuse(project, {
      code: 'E715',
      message: `the monitor "${machine.name}" defers events`,
      hint: 'a monitor sees each event at once: handle it or ignore it',
      at: item.at,
    })
  }
  const handled = handlerOf(project, machine, state, item)
  for (const name of item.events) {
    if (eventNamed(project, name) === undefined) {
      refuseUnknownEvent(project, name)
      continue
    }
    if (isMonitor && name.text === 'null') {
      refuse(project, {
        code: 'E715',
        message: `the monitor "${machine.name}" handles "null"`,
        hint: 'a monitor only does something when it observes an event',
        at: name.at,
      })
    }
    const first = state.handlers.get(name.text)
    if (first !== undefined) {
      refuse(project, {
        code: 'E714',
        message: `"${state.name}" says twice what happens to "${name.text}"`,
        hint: 'each event is handled, deferred or ignored once in a state',
        at: name.at,
        second: { at: first.at, label: 'the first time' },
      })
    } else if (handled !== undefined) {
      state.handlers.set(name.text, { ...handled, at: name.at })
    }
  }
}

type Handled = HandlerSymbol extends infer H ? (H extends HandlerSymbol ? Omit<H, 'at'> : never) : never

function handlerOf(project: Project, machine: MachineSymbol, state: StateSymbol, item: Handling): Handled | undefined {
  if (!('function' in item || 'state' in item)) return { kind: item.kind }
  const name = `${state.name}.on ${item.events.map((event) => event.text).join(', ')}`
  if (item.kind === 'do') {
    const symbol = handlerFunction(project, machine, name, item.function)
    return symbol === undefined ? undefined : { kind: 'do', function: symbol }
  }
  const by = item.with === undefined ? undefined : handlerFunction(project, machine, name, item.with)
  return { kind: 'goto', state: item.state.text, with: by }
}

/** A function of the machine, by name or written in place. Global functions know no machine and cannot handle its events. */
function handlerFunction(
  project: Project,
  machine: MachineSymbol,
  name: string,
  written: HandlerFunction,
): FunctionSymbol | undefined {
  if (written.kind === 'written') return declareBody(project, machine, `${machine.name}.${name}`, written.body)
  const symbol = functionNamed(project, machine, written.name)
  if (symbol === undefined) {
    refuseUnknown(project, written.name, {
      what: 'function',
      names: machine.functions.map((own) => own.name.slice(machine.name.length + 1)),
      otherwise: `declare it in "${machine.name}": "fun ${written.name.text}() { … }"`,
    })
  } else if (symbol.machine === undefined || symbol.body === undefined) {
    refuse(project, {
      code: 'E714',
      message: `"${written.name.text}" is ${symbol.machine === undefined ? 'a global' : 'a foreign'} function, and cannot be a handler`,
      hint: `handlers are functions of the machine: call "${written.name.text}" in one`,
      at: written.name.at,
      second: { at: symbol.at, label: 'the function' },
    })
  }
  return symbol
}

/** A function that a name stands for, seen from a machine or from outside of all. */
export function functionNamed(
  project: Project,
  machine: MachineSymbol | undefined,
  name: Name,
): FunctionSymbol | undefined {
  const full = `${machine?.name}.${name.text}`
  const own = machine?.functions.find((symbol) => symbol.name === full)
  return own ?? project.globals.functions.get(name.text)
}

export function eventNamed(project: Project, name: EventName): EventSymbol | undefined {
  if (name.text === 'halt') return haltEvent
  return name.text === 'null' ? nullEvent : project.globals.events.get(name.text)
}

function refuseSecond(project: Project, state: StateSymbol, item: StateItem): void {
  const first = state.declaration.items.find((other) => other.kind === item.kind)
  refuse(project, {
    code: 'E714',
    message: `"${state.name}" has two ${item.kind} functions`,
    hint: 'make one function of them',
    at: item.at,
    second: first === undefined ? undefined : { at: first.at, label: 'the first of them' },
  })
}

/** Nothing is passed to exit functions; all others get at most the payload of an event. */
function checkParameters(project: Project, state: StateSymbol): void {
  if (state.exit !== undefined && state.exit.params.length > 0) {
    refuse(project, {
      code: 'E714',
      message: `the exit function of "${state.name}" takes a parameter`,
      hint: 'nothing is passed to exit functions; keep the value in a variable of the machine',
      at: state.exit.at,
    })
  }
  const refuseMany = (symbol: FunctionSymbol | undefined, at: Span): void => {
    if (symbol === undefined || symbol.params.length <= 1) return
    refuse(project, {
      code: 'E714',
      message: `a handler takes ${symbol.params.length} parameters`,
      hint: 'a handler takes the payload of its event and nothing else: use a tuple as payload',
      at,
      second: at === symbol.at ? undefined : { at: symbol.at, label: `"${symbol.name}"` },
    })
  }
  refuseMany(state.entry, state.declaration.name.at)
  for (const handler of state.handlers.values()) {
    if (handler.kind === 'do') refuseMany(handler.function, handler.at)
    if (handler.kind === 'goto') refuseMany(handler.with, handler.at)
  }
}

export function checkHandlers(project: Project, machine: MachineSymbol, state: StateSymbol): void {
  for (const item of state.declaration.items) {
    if (item.kind === 'goto' && stateOf(machine, item.state.text) === undefined) {
      refuseUnknownState(project, machine, item.state)
    }
  }
  for (const [name, handler] of state.handlers) {
    const event = eventNamed(project, { text: name, at: handler.at })
    if (event === undefined) continue
    if (handler.kind === 'do') checkTaker(project, { event, taker: handler.function, at: handler.at })
    if (handler.kind !== 'goto') continue
    const target = stateOf(machine, handler.state)
    if (target?.entry !== undefined) checkTaker(project, { event, taker: target.entry, at: handler.at })
    if (handler.with !== undefined) checkTaker(project, { event, taker: handler.with, at: handler.at })
  }
}

export function refuseUnknownState(project: Project, machine: MachineSymbol, name: Name): void {
  refuseUnknown(project, name, {
    what: 'state',
    names: machine.states.map((state) => state.name),
    otherwise: `declare it in "${machine.name}": "state ${name.text} { }"`,
  })
}

interface Taking {
  readonly event: EventSymbol
  readonly taker: FunctionSymbol
  readonly at: Span
}

function checkTaker(project: Project, { event, taker, at }: Taking): void {
  const [param] = taker.params
  if (param === undefined || taker.params.length > 1 || isAssignable(param.type, event.payload)) return
  refuse(project, {
    code: 'E713',
    message: `"${taker.name}" takes "${typeText(param.type)}", but "${event.name}" carries ${carried(event.payload)}`,
    hint: 'the parameter must accept the payload of every event that leads there',
    at,
    second: { at: param.at, label: 'the parameter' },
  })
}

function carried(payload: Type): string {
  return payload.kind === 'void' ? 'nothing' : `"${typeText(payload)}"`
}
