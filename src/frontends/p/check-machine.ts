/** The shape of machines and monitors: variables, functions, states, and who handles what. */
import type { MachineDeclaration, StateDeclaration } from './ast.ts'
import { checkHandlers, declareState } from './check-state.ts'
import { declareFunction, isNoParameter } from './declare-function.ts'
import { NameTable } from './name-table.ts'
import { type Draft, type Project, refuse } from './project.ts'
import { resolveType } from './resolve-type.ts'
import type { FunctionSymbol, MachineSymbol, VariableSymbol } from './symbols.ts'
import { voidType } from './type-relations.ts'

export function declareMachine(project: Project, machine: Draft<MachineSymbol>): void {
  const { declaration } = machine
  const names = new NameTable(project)
  const fields: VariableSymbol[] = []
  const functions: FunctionSymbol[] = []
  const kept: StateDeclaration[] = []
  machine.fields = fields
  machine.functions = functions
  for (const item of declaration.items) {
    if (item.kind === 'variables') {
      const type = resolveType(project, item.type)
      for (const name of item.names) {
        if (!names.add('variable', name) || !isNoParameter(project, name)) continue
        fields.push({ kind: 'field', name: name.text, type, at: name.at })
      }
    } else if (item.kind === 'function') {
      if (names.add('function', item.name)) functions.push(declareFunction(project, machine, item))
    } else if (names.add('state', item.name)) {
      kept.push(item)
    }
  }
  machine.states = kept.map((state) => declareState(project, machine, state))
  chooseStart(project, machine)
  machine.payload = machine.start.entry?.params[0]?.type ?? voidType
}

/** Once all machines are declared: handlers fit the events they handle and the states they lead to. */
export function checkMachine(project: Project, machine: MachineSymbol): void {
  for (const state of machine.states) checkHandlers(project, machine, state)
  if (machine.kind === 'machine') return warnOfTemperature(project, machine)
  const param = machine.start.entry?.params[0]
  if (param !== undefined) {
    refuse(project, {
      code: 'E714',
      message: `the start state of the monitor "${machine.name}" takes a parameter`,
      hint: 'nobody creates a monitor, so nobody can give it a value: remove the parameter',
      at: param.at,
    })
  }
  warnOfMonitor(project, machine)
}

function chooseStart(project: Project, machine: Draft<MachineSymbol>): void {
  const { declaration } = machine
  const [start, second] = machine.states.filter((state) => state.isStart)
  if (start === undefined) {
    refuse(project, {
      code: 'E714',
      message: `"${machine.name}" has no start state`,
      hint: machine.states.length === 0 ? 'add one: "start state Init { }"' : 'write "start" before one of its states',
      at: declaration.name.at,
    })
    return
  }
  machine.start = start
  if (second === undefined) return
  refuse(project, {
    code: 'E714',
    message: `"${machine.name}" has two start states`,
    hint: 'remove "start" from one of them',
    at: second.declaration.name.at,
    second: { at: start.declaration.name.at, label: 'the first of them' },
  })
}

/** Only monitors are asked what they are in. */
function warnOfTemperature(project: Project, machine: MachineSymbol): void {
  for (const { name, temperature, declaration } of machine.states) {
    if (temperature === 'warm') continue
    project.warnings.push({
      code: 'E733',
      message: `the state "${name}" of the machine "${machine.name}" is ${temperature}, which has no effect`,
      hint: 'only states of a spec are judged by it: write a spec that observes what must happen some time',
      at: declaration.name.at,
    })
  }
}

function warnOfMonitor(project: Project, machine: MachineSymbol): void {
  for (const state of machine.states) {
    for (const [event, handler] of state.handlers) {
      if (machine.observes.includes(event)) continue
      project.warnings.push({
        code: 'E730',
        message: `"${machine.name}" handles "${event}", which it does not observe`,
        hint: `only what the monitor raises itself gets there; add "${event}" after "observes" if it should see more`,
        at: handler.at,
        second: { at: machine.declaration.name.at, label: 'the monitor' },
      })
    }
  }
  if (machine.kind !== 'scenario') return
  const { declaration } = machine
  if (machine.states.every((state) => state.temperature !== 'cold')) {
    warnOfScenario(project, declaration, 'has no cold state, so nothing can ever cover it')
  } else if (machine.start.temperature === 'cold') {
    warnOfScenario(project, declaration, 'starts in a cold state, so it is covered only when it comes back to one')
  }
}

function warnOfScenario(project: Project, declaration: MachineDeclaration, message: string): void {
  project.warnings.push({
    code: 'E731',
    message: `the scenario "${declaration.name.text}" ${message}`,
    hint: 'write "cold" before the state that is reached when the scenario has happened',
    at: declaration.name.at,
  })
}
