/** Whether a program in IR is one: everything that is named by its place exists and is of the right kind. */
import { haltEvent, type Ir, type IrHandler, type IrMachine, type IrState } from './ir.ts'
import { machinesByFunction } from './reach.ts'
import { functionProblems } from './validate-function.ts'

/** What is wrong, each with where it is; nothing for what a front end should make. */
export function irProblems(ir: Ir): readonly string[] {
  const owners = machinesByFunction(ir)
  return [
    ...programProblems(ir),
    ...ir.machines.flatMap((machine) => machineProblems(machine, ir).map((problem) => `${machine.name}: ${problem}`)),
    ...ir.functions.flatMap((one, place) => {
      const machines = [...(owners[place] ?? [])].flatMap((owner) => ir.machines[owner] ?? [])
      return functionProblems(one, machines, ir)
    }),
  ]
}

function programProblems(ir: Ir): readonly string[] {
  const halt = ir.events[haltEvent]
  const names = ir.events.map(({ name }) => name)
  return [
    ...(halt?.name === 'halt' && halt.payload === undefined ? [] : ['the first event is not halt']),
    ...names.filter((name, at) => names.indexOf(name) !== at).map((name) => `the event ${name} is there twice`),
    ...machineAt(ir, ir.main, ['machine'], 'main'),
    ...ir.monitors.flatMap(({ machine, over }) => [
      ...machineAt(ir, machine, ['monitor', 'scenario'], 'a monitor'),
      ...over.flatMap((place) => machineAt(ir, place, ['machine'], 'what a monitor is told of')),
    ]),
  ]
}

function machineAt(ir: Ir, place: number, kinds: readonly IrMachine['kind'][], what: string): readonly string[] {
  const machine = ir.machines[place]
  if (machine === undefined) return [`${what} is machine ${place}, which is not there`]
  return kinds.includes(machine.kind) ? [] : [`${what} is ${machine.name}, a ${machine.kind}`]
}

function machineProblems(machine: IrMachine, ir: Ir): readonly string[] {
  const { sends, receives, observes, kind, states } = machine
  const events = [...(sends ?? []), ...(receives ?? []), ...observes]
  const names = states.map(({ name }) => name)
  return [
    ...(states[machine.start] === undefined ? [`there is no state ${machine.start} to start in`] : []),
    ...names.filter((name, at) => names.indexOf(name) !== at).map((name) => `the state ${name} is there twice`),
    ...events.flatMap((event) => eventProblems(event, ir)),
    ...(kind === 'machine' && observes.length > 0 ? ['a machine observes nothing'] : []),
    ...Object.entries(machine.creates).flatMap(([name, place]) =>
      machineAt(ir, place, ['machine'], `what new ${name} creates`),
    ),
    ...states.flatMap((state) => stateProblems(state, machine, ir).map((problem) => `${state.name}: ${problem}`)),
  ]
}

function stateProblems(state: IrState, machine: IrMachine, ir: Ir): readonly string[] {
  const { entry, exit, handlers, onNull } = state
  return [
    ...functionAt(entry, 1, 'entry', ir),
    ...functionAt(exit, 0, 'exit', ir),
    ...[...handlers].flatMap(([event, handler]) => [
      ...eventProblems(event, ir),
      ...handlerProblems(handler, machine, ir),
    ]),
    ...(onNull === undefined ? [] : handlerProblems(onNull, machine, ir)),
    ...(onNull !== undefined && machine.kind !== 'machine' ? ['a monitor does not wait'] : []),
  ]
}

function handlerProblems(handler: IrHandler, machine: IrMachine, ir: Ir): readonly string[] {
  if (handler.kind === 'do') return functionAt(handler.function, 1, 'a handler', ir)
  if (handler.kind !== 'goto')
    return handler.kind === 'defer' && machine.kind !== 'machine' ? ['a monitor defers nothing'] : []
  return [
    ...(machine.states[handler.state] === undefined ? [`there is no state ${handler.state} to go to`] : []),
    ...functionAt(handler.with, 1, 'what a goto is with', ir),
  ]
}

function functionAt(place: number | undefined, params: number, what: string, ir: Ir): readonly string[] {
  if (place === undefined) return []
  const one = ir.functions[place]
  if (one === undefined) return [`${what} is function ${place}, which is not there`]
  if (one.returns !== undefined) return [`${what} returns a value`]
  return one.params > params ? [`${what} has ${one.params} parameters`] : []
}

function eventProblems(event: number, ir: Ir): readonly string[] {
  return ir.events[event] === undefined ? [`there is no event ${event}`] : []
}
