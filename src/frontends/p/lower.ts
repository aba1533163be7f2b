/** From a checked program to the IR of one of its tests: the machines of the test, and the functions that they can call. */
import type { Place } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import {
  haltEvent,
  type Ir,
  type IrEvent,
  type IrFunction,
  type IrHandler,
  type IrMachine,
  type IrState,
} from '../../ir/ir.ts'
import type { SourceText, Span } from './ast.ts'
import { effectFinder } from './lower-effect.ts'
import { lowerFunction } from './lower-function.ts'
import { withCastPayloads } from './lower-payload.ts'
import type { ProgramScope } from './lower-scope.ts'
import { eventPlaces, lowerType } from './lower-type.ts'
import { placeOfState } from './project.ts'
import type { Checked, FunctionSymbol, HandlerSymbol, MachineSymbol, StateSymbol, TestCase } from './symbols.ts'

export function lower(checked: Checked, test: TestCase): Ir {
  const names = eventNames(checked)
  const event = (name: string): number => {
    const place = names.get(name)
    invariant(place !== undefined, `the event ${name} is declared`)
    return place
  }
  const asked: FunctionSymbol[] = []
  const program: ProgramScope = {
    checked,
    params: test.params,
    place: placeFinder(checked.sources),
    type: (type) => lowerType(type, event),
    event,
    function: numbering(asked),
    hasEffect: effectFinder((expression) => checked.types.get(expression)?.kind === 'float'),
  }
  const symbols = [...test.machines, ...test.monitors.map(({ monitor }) => monitor)]
  const machineOf = (symbol: MachineSymbol): number => {
    const place = symbols.indexOf(symbol)
    invariant(place >= 0, `${symbol.name} is a machine of the test`)
    return place
  }
  const machines = symbols.map((symbol) => lowerMachine(symbol, linksOf(symbol, test, machineOf), program))
  const functions: IrFunction[] = []
  // The list grows while functions are lowered: each one asks for those that it calls.
  for (let symbol = asked[0]; symbol !== undefined; symbol = asked[functions.length]) {
    functions.push(lowerFunction(symbol, program))
  }
  const monitors = test.monitors.map(({ monitor, over }) => ({
    machine: machineOf(monitor),
    over: [...over].map(machineOf).sort((left, right) => left - right),
  }))
  const events = lowerEvents(checked, names, program)
  return withCastPayloads({ name: test.name, events, machines, functions, main: machineOf(test.main), monitors })
}

// Names

/** `halt` first, then as they were declared. */
function eventNames(checked: Checked): ReadonlyMap<string, number> {
  const names = new Map([['halt', haltEvent]])
  for (const { name } of checked.events) {
    if (name !== 'null' && !names.has(name)) names.set(name, names.size)
  }
  return names
}

function lowerEvents(checked: Checked, names: ReadonlyMap<string, number>, program: ProgramScope): readonly IrEvent[] {
  const payloads = new Map(checked.events.map(({ name, payload }) => [name, payload]))
  return [...names.keys()].map((name) => {
    const payload = payloads.get(name)
    return { name, payload: payload === undefined || payload.kind === 'void' ? undefined : program.type(payload) }
  })
}

function numbering(asked: FunctionSymbol[]): (symbol: FunctionSymbol) => number {
  const places = new Map<FunctionSymbol, number>()
  return (symbol) => {
    const known = places.get(symbol)
    if (known !== undefined) return known
    places.set(symbol, asked.length)
    return asked.push(symbol) - 1
  }
}

/** Machines by the names under which this one creates them. */
function linksOf(
  symbol: MachineSymbol,
  test: TestCase,
  machineOf: (symbol: MachineSymbol) => number,
): IrMachine['creates'] {
  const links = test.creates.get(symbol) ?? new Map<string, MachineSymbol>()
  return Object.fromEntries([...links].map(([name, created]) => [name, machineOf(created)]))
}

/** Lines are looked up in a list of where they begin. Places are those of `placeOf` in problem.ts, for many spans. */
function placeFinder(sources: readonly SourceText[]): (span: Span) => Place {
  const starts = sources.map(({ text }) => [
    text.startsWith('\ufeff') ? 1 : 0,
    ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ index, 0: end }) => index + end.length),
  ])
  return ({ source, start }) => {
    const file = sources[source]?.file
    const lines = starts[source]
    invariant(file !== undefined && lines !== undefined, 'spans are of sources of the project')
    let [line, end] = [0, lines.length]
    while (end - line > 1) {
      const middle = (line + end) >> 1
      if ((lines[middle] ?? 0) <= start) line = middle
      else end = middle
    }
    return { file, line: line + 1, column: start - (lines[line] ?? 0) + 1 }
  }
}

// Machines

const kinds = { machine: 'machine', spec: 'monitor', scenario: 'scenario' } as const

function lowerMachine(symbol: MachineSymbol, creates: IrMachine['creates'], program: ProgramScope): IrMachine {
  const { name, kind, fields, states, declaration } = symbol
  const start = states.indexOf(symbol.start)
  invariant(start >= 0, `the start state of ${name} is one of its states`)
  return {
    name,
    kind: kinds[kind],
    fields: fields.map((field) => ({ name: field.name, type: program.type(field.type) })),
    states: states.map((state) => lowerState(state, symbol, program)),
    start,
    sends: eventPlaces(symbol.sends, program.event),
    receives: eventPlaces(symbol.receives, program.event),
    observes: eventPlaces(symbol.observes, program.event) ?? [],
    creates,
    place: program.place(declaration.name.at),
  }
}

function lowerState(state: StateSymbol, machine: MachineSymbol, program: ProgramScope): IrState {
  const handlers = new Map<number, IrHandler>()
  const entry = state.entry && program.function(state.entry)
  const exit = state.exit && program.function(state.exit)
  for (const [name, handler] of state.handlers) {
    if (name !== 'null') handlers.set(program.event(name), lowerHandler(handler, machine, program))
  }
  const onNull = state.handlers.get('null')
  return {
    name: state.name,
    temperature: state.temperature,
    entry,
    exit,
    handlers,
    onNull: onNull && lowerOnNull(onNull, machine, program),
    place: program.place(state.declaration.name.at),
  }
}

/** Nothing to receive is nothing that could wait or be dropped. */
function lowerOnNull(handler: HandlerSymbol, machine: MachineSymbol, program: ProgramScope): IrHandler | undefined {
  const lowered = lowerHandler(handler, machine, program)
  return lowered.kind === 'defer' || lowered.kind === 'ignore' ? undefined : lowered
}

function lowerHandler(handler: HandlerSymbol, machine: MachineSymbol, program: ProgramScope): IrHandler {
  switch (handler.kind) {
    case 'do':
      return { kind: 'do', function: program.function(handler.function) }
    case 'goto': {
      const state = placeOfState(machine, handler.state)
      invariant(state >= 0, `${machine.name} has a state ${handler.state}`)
      return { kind: 'goto', state, with: handler.with && program.function(handler.with) }
    }
    default:
      return { kind: handler.kind }
  }
}
