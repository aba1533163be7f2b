/**
 * Random P programs as text, right by construction: they type-check, every execution ends, and there are few states. About a third
 * can fail. One line holds one statement, or opens or closes a block, so that lines can be left out to make them smaller.
 */
import { Random } from '../../../src/core/random.ts'
import { expressionOf } from './generate-expression.ts'
import { monitorOf } from './generate-monitor.ts'
import {
  chance,
  type EventPlan,
  elementTypes,
  type FunctionPlan,
  indented,
  type MachinePlan,
  type Scope,
  type TypeText,
  types,
  type Variable,
} from './generate-scope.ts'
import { changesOf, creationOf, sendsOf, statementsOf } from './generate-statement.ts'
import {
  asked,
  constantsOf,
  hasSecret,
  interfacesText,
  listsText,
  mayHandOn,
  secretive,
  secretText,
  type TestPlan,
  testPlan,
  testText,
} from './generate-test.ts'

/** The same seed gives the same program, everywhere. */
export function generatedProgram(seed: number): string {
  const random = new Random(seed)
  const plan = testPlan(seed)
  const events = eventPlans(random, plan)
  // Two of five, so that of few programs some are.
  const isRisky = (seed * 2) % 5 < 2
  const machines = asked(random, machinePlans(random), { plan, events, isRisky })
  const constants = constantsOf(plan)
  const shared = functionPlans(random, 'shared', 1 + random.below(2))
  const world: World = { random, events, machines, shared, constants, isRisky }
  const watching = plan.form === 'partly watched' ? 2 : random.pick([0, 1, 1, 2])
  const monitors = Array.from({ length: watching }, (_, at) => `Mon${at}`)
  const side = hasSecret(plan) ? [secretive] : []
  return [
    random.pick(['enum Color { RED, GREEN, BLUE }', 'enum Color { RED = 3, GREEN = 1, BLUE = 2 }']),
    'type tRec = (a: int, b: bool);',
    'type tInit = (peer: machine, n: int);',
    ...constants.map(({ name, type }) => `param ${name}: ${type};`),
    ...events.map(({ name, payload }) => `event ${name}${payload === undefined ? '' : `: ${payload}`};`),
    ...interfacesText(machines, plan, events),
    ...shared.flatMap((plan, at) => functionText(world, plan, { functions: shared.slice(0, at) })),
    ...machines.flatMap((machine, at) =>
      machineText(world, machine, [...machines.slice(at + 1), ...(at === 0 ? side : [])]),
    ),
    ...secretText(plan),
    ...monitors.flatMap((name) => monitorOf({ random, events: sentBy(machines, plan, events), shared, name, isRisky })),
    ...testText(random, machines, monitors, plan),
    '',
  ].join('\n')
}

/** What somebody whom all monitors watch says that it may send. */
function sentBy(
  machines: readonly MachinePlan[],
  { form }: TestPlan,
  events: readonly EventPlan[],
): readonly EventPlan[] {
  const [main] = machines
  const watched = form === 'partly watched' && main !== undefined ? [main] : machines
  return events.filter(({ name }) => watched.some(({ sends }) => sends === undefined || sends.includes(name)))
}

interface World {
  readonly random: Random
  readonly events: readonly EventPlan[]
  readonly machines: readonly MachinePlan[]
  /** Functions of nobody in particular: they compute. */
  readonly shared: readonly FunctionPlan[]
  readonly constants: readonly Variable[]
  readonly isRisky: boolean
}

const payloads: readonly (TypeText | undefined)[] = [
  undefined,
  undefined,
  'int',
  'int',
  'bool',
  'machine',
  'tRec',
  '(int, bool)',
  'any',
  'Color',
  'seq[int]',
  'string',
  'data',
  'Part',
]

/** The first carries nothing, so that there is something to be named as a value. */
function eventPlans(random: Random, plan: TestPlan): readonly EventPlan[] {
  const able = mayHandOn(plan) ? payloads : payloads.filter((type) => type !== 'machine' && type !== 'any')
  return Array.from({ length: 3 + random.below(3) }, (_, rank) => {
    return { name: `e${rank}`, payload: rank === 0 ? undefined : random.pick(able), rank }
  })
}

function machinePlans(random: Random): readonly MachinePlan[] {
  const names = ['Main', 'A', 'B'].slice(0, random.pick([1, 2, 2, 2, 3, 3, 3]))
  return names.map((name) => ({
    name,
    takes:
      name === 'Main' ? 'nothing' : random.pick(['nothing', 'machine', 'tInit', '(machine, int)', 'tInit'] as const),
    states: ['S0', 'S1', 'S2N'].slice(0, 1 + random.below(3)),
    fields: [
      { name: 'fuel', type: 'int', isFixed: true },
      { name: 'peer', type: 'machine' },
      ...(name === 'Main' ? [{ name: 'other', type: 'machine' } as const] : []),
      ...(chance(random, 70) ? [{ name: 'log', type: 'seq[int]', isFixed: true } as const] : []),
      ...Array.from(
        { length: 2 + random.below(4) },
        (_, at): Variable => ({ name: `x${at}`, type: random.pick(types) }),
      ),
    ],
  }))
}

function functionPlans(random: Random, kind: 'shared' | 'own', count: number): readonly FunctionPlan[] {
  return Array.from({ length: count }, (_, at) => {
    const acts = kind === 'own' && chance(random, 70)
    const returns = chance(random, 60) ? random.pick(['int', 'bool', 'tRec', 'seq[int]'] as const) : undefined
    return {
      name: `${kind === 'shared' ? 'g' : 'f'}${at}`,
      params: Array.from({ length: random.below(3) }, () =>
        random.pick(['int', 'bool', 'any', 'tRec', 'data'] as const),
      ),
      returns,
      acts,
      jumps: acts && returns === undefined && chance(random, 30),
      sends: acts && chance(random, 50),
    }
  })
}

/** Where a function stands; the rest is what is usual in a machine. */
function scopeOf(world: World, machine: MachinePlan, special: Partial<Scope>): Scope {
  return {
    random: world.random,
    machine,
    isMonitor: false,
    isShared: machine.fields.length === 0,
    isRisky: world.isRisky,
    events: world.events,
    variables: [...machine.fields, ...world.constants],
    functions: [],
    creates: [],
    least: world.events.length,
    isCostly: false,
    mayJump: true,
    mayReceive: chance(world.random, 60),
    isLoop: false,
    returns: undefined,
    mayReturn: true,
    depth: 0,
    ...special,
  }
}

/** Locals come first; counters and elements of loops are not assigned to by others. */
function bodyOf(scope: Scope, most: number, around: (scope: Scope) => Around = () => ({})): string[] {
  const { random } = scope
  const each = random.pick(Object.keys(elementTypes) as TypeText[])
  const locals: Variable[] = [
    { name: 'i', type: 'int', isFixed: true },
    { name: 'each', type: elementTypes[each] as TypeText, isFixed: true },
    { name: 'l0', type: random.pick(types) },
    // Now and then one that hides a field.
    { name: chance(random, 5) ? 'x0' : 'l1', type: each },
  ]
  const seen = scope.variables.filter(({ name }) => locals.every((local) => local.name !== name))
  const inside = { ...scope, variables: [...seen, ...locals] }
  const { first = [], last = [] } = around(inside)
  return [...locals.map(({ name, type }) => `var ${name}: ${type};`), ...first, ...statementsOf(inside, most), ...last]
}

/** What stands before and after the random statements of a body. */
interface Around {
  readonly first?: readonly string[]
  readonly last?: readonly string[]
}

function functionText(world: World, plan: FunctionPlan, special: Partial<Scope>): string[] {
  const { name, params, returns, acts, jumps, sends } = plan
  const machine: MachinePlan = special.machine ?? { name: '', takes: 'nothing', states: [], fields: [] }
  const named = params.map((type, at): Variable => ({ name: `p${name}${at}`, type }))
  const scope = scopeOf(world, machine, {
    isMonitor: !acts,
    least: sends || jumps ? world.events.length - 1 : world.events.length,
    mayJump: jumps,
    mayReceive: acts && chance(world.random, 60),
    returns,
    ...special,
    variables: [...machine.fields, ...world.constants, ...named],
  })
  const head = `fun ${name}(${named.map((param) => `${param.name}: ${param.type}`).join(', ')})`
  if (returns === undefined) return [`${head} {`, ...indented(bodyOf(scope, 3)), '}']
  const body = bodyOf(scope, 3, (inside) => ({ last: [`return ${expressionOf(inside, returns, 1)};`] }))
  return [`${head}: ${returns} {`, ...indented(body), '}']
}

function machineText(world: World, machine: MachinePlan, creates: readonly MachinePlan[]): string[] {
  const { random } = world
  const own = functionPlans(random, 'own', random.below(3))
  const functions = [...world.shared, ...own, ...(chance(random, 50) ? [bump] : [])]
  const named = world.events.filter(() => chance(random, 15))
  const lines = [
    ...machine.fields.map(({ name, type }) => `var ${name}: ${type};`),
    ...(functions.includes(bump) ? bumpText : []),
    ...own.flatMap((plan, at) =>
      functionText(world, plan, { machine, functions: [...world.shared, ...own.slice(0, at)] }),
    ),
    ...named.flatMap((event) => namedHandler(world, { machine, functions, event })),
    ...machine.states.flatMap((state) => stateText(world, { machine, state, functions, creates, named })),
  ]
  return [`machine ${machine.name} ${listsText(machine)}{`, ...indented(lines), '}']
}

/** A function that changes what stands beside its call. */
const bump: FunctionPlan = { name: 'bump', params: [], returns: 'int', acts: false, jumps: false, sends: false }
const bumpText = ['var bumped: int;', 'fun bump(): int {', '  bumped = bumped + 1;', '  return bumped;', '}']

interface StatePlan {
  readonly machine: MachinePlan
  readonly state: string
  readonly functions: readonly FunctionPlan[]
  readonly creates: readonly MachinePlan[]
  /** Events for which there is a function that handles them. */
  readonly named: readonly EventPlan[]
}

interface NamedPlan extends Pick<StatePlan, 'machine' | 'functions'> {
  readonly event: EventPlan
}

/** A handler that states refer to by its name. */
function namedHandler(world: World, { machine, functions, event: { rank, payload } }: NamedPlan): string[] {
  const usual = scopeOf(world, machine, { functions, least: rank + 1 })
  const given: Variable[] = payload === undefined ? [] : [{ name: 'v', type: payload }]
  const body = bodyOf({ ...usual, variables: [...usual.variables, ...given] }, 3)
  return [`fun handle${rank}(${payload === undefined ? '' : `v: ${payload}`}) {`, ...indented(body), '}']
}

function stateText(world: World, plan: StatePlan): string[] {
  const { random, events } = world
  const { machine, state, functions } = plan
  const isStart = state === 'S0'
  const costly = scopeOf(world, machine, { functions, least: 0, isCostly: true })
  const isSilent = { ...costly, mayJump: false }
  const parting = (inside: Scope) => ({ first: chance(random, 60) ? sendsOf(inside, 1) : [] })
  const lines = [
    ...(isStart ? startEntry(world, plan) : entry(costly, state)),
    ...(chance(random, 30) ? ['exit {', ...indented(bodyOf(isSilent, 2, parting)), '}'] : []),
    ...events.flatMap((event) => handler(world, plan, event)),
    ...(chance(random, 3) ? ['on null do {', ...indented(bodyOf(costly, 1)), '}'] : []),
    ...(chance(random, 3) ? [`${random.pick(['defer', 'ignore'])} halt;`] : []),
  ]
  return [`${isStart ? 'start ' : ''}state ${state} {`, ...indented(lines), '}']
}

function startEntry(world: World, { machine, functions, creates }: StatePlan): string[] {
  const { random } = world
  const { takes } = machine
  const param: Variable[] = takes === 'machine' ? [{ name: 'p', type: 'machine' }] : []
  // What goes wrong in the beginning goes wrong in every execution.
  const usual = scopeOf(world, machine, { functions, creates, least: 0, isRisky: world.isRisky && chance(random, 25) })
  const scope = { ...usual, variables: [...usual.variables, ...param] }
  const peer = { nothing: 'this', machine: 'p', tInit: 'p.peer', '(machine, int)': 'p.0' }[takes]
  const body = bodyOf(scope, 4, (inside) => {
    const made = creates
      .filter(({ isNeeded }) => isNeeded === true || chance(random, 85))
      .map((created) => creationOf(inside, created))
    const greetings = made.flatMap(() => sendsOf(inside, 1 + random.below(2)))
    return { first: ['fuel = 2;', `peer = ${peer};`, ...changesOf(inside, 1 + random.below(4)), ...made, ...greetings] }
  })
  return [`entry ${takes === 'nothing' ? '' : `(p: ${takes}) `}{`, ...indented(body), '}']
}

function entry(scope: Scope, state: string): string[] {
  const isGiven = state.endsWith('N')
  if (!isGiven && chance(scope.random, 30)) return []
  const given: Variable[] = isGiven ? [{ name: 'n', type: 'int' }] : []
  const noting = () => ({ first: noteOf(scope.machine, 10 + Number(state[1])) })
  const body = bodyOf({ ...scope, variables: [...scope.variables, ...given] }, 3, noting)
  return [`entry ${isGiven ? '(n: int) ' : ''}{`, ...indented(body), '}']
}

/** Most events are expected everywhere. */
function handler(world: World, { machine, functions, named }: StatePlan, event: EventPlan): string[] {
  const { random } = world
  const kind = random.below(100)
  if (world.isRisky && kind < 5) return []
  if (kind < 22) return [`defer ${event.name};`]
  if (kind < 33) return [`ignore ${event.name};`]
  if (named.includes(event) && kind < 60) return [`on ${event.name} do handle${event.rank};`]
  const takes = event.payload !== undefined && chance(random, 80)
  const param: Variable = { name: 'v', type: event.payload ?? 'int' }
  const head = takes ? `(v: ${param.type}) ` : ''
  const usual = scopeOf(world, machine, { functions, least: event.rank + 1 })
  const scope = { ...usual, variables: takes ? [...usual.variables, param] : usual.variables }
  const states = machine.states.slice(1).filter((state) => !state.endsWith('N') || event.payload === 'int')
  const noting = () => ({ first: noteOf(machine, event.rank) })
  if (kind < 70 || states.length === 0) {
    return [`on ${event.name} do ${head}{`, ...indented(bodyOf(scope, 3, noting)), '}']
  }
  const to = random.pick(states)
  if (chance(random, 50)) return [`on ${event.name} goto ${to};`]
  const silent = { ...scope, mayJump: false, isCostly: true }
  return [`on ${event.name} goto ${to} with ${head}{`, ...indented(bodyOf(silent, 2, noting)), '}']
}

/** What was done is kept in its order, in machines that have a log. */
function noteOf({ fields }: MachinePlan, note: number): string[] {
  return fields.some(({ name }) => name === 'log') ? [`log += (sizeof(log), ${note});`] : []
}
