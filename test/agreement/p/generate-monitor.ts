/** Random monitors: they count, remember, and want something now and then. */
import type { Random } from '../../../src/core/random.ts'
import {
  chance,
  type EventPlan,
  type FunctionPlan,
  indented,
  risk,
  type Scope,
  type Variable,
} from './generate-scope.ts'
import { statementsOf } from './generate-statement.ts'

export interface MonitorPlan {
  readonly random: Random
  readonly events: readonly EventPlan[]
  readonly shared: readonly FunctionPlan[]
  readonly name: string
  readonly isRisky: boolean
}

export function monitorOf({ random, events, shared, name, isRisky }: MonitorPlan): string[] {
  const observed = random.shuffle(events).slice(0, 1 + random.below(2))
  const states = ['M0', 'M1'].slice(0, 1 + random.below(2))
  const fields: Variable[] = [
    { name: 'seen', type: 'int' },
    { name: 'last', type: 'bool' },
    { name: 'kept', type: 'seq[int]' },
  ]
  const scope: Scope = {
    random,
    machine: { name, takes: 'nothing', states, fields },
    isMonitor: true,
    isShared: false,
    isRisky,
    events,
    variables: fields,
    functions: shared,
    creates: [],
    least: events.length,
    isCostly: false,
    mayJump: false,
    mayReceive: false,
    isLoop: false,
    returns: undefined,
    mayReturn: true,
    depth: 1,
  }
  const lines = states.flatMap((state, at) => stateText(scope, state, { observed, isStart: at === 0 }))
  // A scenario may stay as it is for ever.
  const kind = random.below(4) === 0 ? 'scenario' : 'spec'
  const declared = fields.map((field) => `var ${field.name}: ${field.type};`)
  return [
    `${kind} ${name} observes ${observed.map((event) => event.name).join(', ')} {`,
    ...indented([...declared, ...lines]),
    '}',
  ]
}

interface StatePlan {
  readonly observed: readonly EventPlan[]
  readonly isStart: boolean
}

function stateText(scope: Scope, state: string, { observed, isStart }: StatePlan): string[] {
  const { random } = scope
  const temperature = random.pick(['', 'cold ', scope.isRisky || chance(random, 30) ? 'hot ' : ''])
  const lines = [
    ...(chance(random, 30) ? ['entry {', ...indented(statementsOf(scope, 2)), '}'] : []),
    ...(chance(random, 15) ? ['exit {', ...indented(statementsOf(scope, 1)), '}'] : []),
    ...observed.flatMap((event) => handler(scope, state, event)),
  ]
  return [`${isStart ? 'start ' : ''}${temperature}state ${state} {`, ...indented(lines), '}']
}

function handler(scope: Scope, state: string, event: EventPlan): string[] {
  const { random } = scope
  const kind = random.below(100)
  if (scope.isRisky && kind < 6) return []
  if (kind < 20) return [`ignore ${event.name};`]
  const other = scope.machine.states.find((each) => each !== state)
  if (kind < 45 && other !== undefined) return [`on ${event.name} goto ${other};`]
  const takes = event.payload !== undefined && chance(random, 70)
  const variables: Variable[] = takes
    ? [...scope.variables, { name: 'v', type: event.payload ?? 'int' }]
    : [...scope.variables]
  const body = ['seen = seen + 1;', ...statementsOf({ ...scope, variables }, 2)]
  if (other !== undefined && chance(random, 30)) body.push('if (seen > 1) {', `  goto ${other};`, '}')
  if (risk(scope, 50)) body.push(`assert seen < ${2 + random.below(3)};`)
  return [`on ${event.name} do ${takes ? `(v: ${event.payload}) ` : ''}{`, ...indented(body), '}']
}
