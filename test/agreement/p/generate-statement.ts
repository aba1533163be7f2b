/** Random statements of P, as lines. A line that ends with `{` is closed by one that is `}`, or goes on in `} else {`. */
import { callOf, castable, expressionOf } from './generate-expression.ts'
import {
  chance,
  type EventPlan,
  elementTypes,
  indented,
  type MachinePlan,
  permissions,
  permittedToPart,
  risk,
  type Scope,
  type Variable,
  variablesOf,
} from './generate-scope.ts'

/** Writes to variables, so that there is something in them. */
export function changesOf(scope: Scope, count: number): string[] {
  return Array.from({ length: count }, () => change(scope)).flat()
}

export function sendsOf(scope: Scope, count: number): string[] {
  return Array.from({ length: count }, () => send(scope)).flat()
}

export function statementsOf(scope: Scope, most: number): string[] {
  const count = 1 + scope.random.below(most)
  return Array.from({ length: count }, () => statement(scope)).flat()
}

function statement(scope: Scope): string[] {
  const { random } = scope
  const kind = random.below(30)
  if (kind < 8) return change(scope)
  if (kind < 11) {
    if (scope.isMonitor) return change(scope)
    return chance(random, 25) ? sendPermitted(scope) : send(scope)
  }
  if (kind === 11) return scope.isMonitor || scope.isShared ? change(scope) : sendVariable(scope)
  if (kind < 15 && scope.depth < 2) return branch(scope)
  if (kind < 17 && scope.depth < 2) return loop(scope)
  if (kind === 17) return assertion(scope)
  if (kind < 20) return leave(scope)
  if (kind < 22) return jump(scope)
  if (kind < 24) return scope.mayReceive ? receive(scope) : change(scope)
  if (kind === 24) return announce(scope)
  if (kind === 25) return create(scope)
  if (kind === 27) return castBack(scope)
  if (kind === 26) return [`print format("{0}", ${expressionOf(scope, 'int', 1)});`]
  const called = callOf(scope, undefined)
  return called === undefined ? change(scope) : [`${called};`]
}

export function within(scope: Scope, most: number): string[] {
  return indented(statementsOf({ ...scope, depth: scope.depth + 1 }, most))
}

function change(scope: Scope): string[] {
  const { random } = scope
  const variables = scope.variables.filter(({ isFixed }) => isFixed !== true)
  if (variables.length === 0) return ['print "nothing";']
  const { name, type } = random.pick(variables)
  const int = () => expressionOf(scope, 'int', 1)
  const isRisky = risk(scope, 25)
  switch (random.below(3) === 0 ? undefined : type) {
    case 'seq[int]':
      return random.pick([
        () => [`${name} += (${isRisky ? int() : `sizeof(${name})`}, ${int()});`],
        () => guarded(`sizeof(${name}) > 0`, `${name} -= ${isRisky ? int() : '0'};`, isRisky),
        () => guarded(`sizeof(${name}) > 1`, `${name}[${random.below(2)}] = ${int()};`, isRisky),
      ])()
    case 'seq[tRec]':
      return random.pick([
        () => [`${name} += (0, ${expressionOf(scope, 'tRec', 1)});`],
        () => guarded(`sizeof(${name}) > 0`, `${name}[0].a = ${int()};`, isRisky),
      ])()
    case 'set[int]':
      return [random.pick([`${name} += (${int()});`, `${name} += (${int()});`, `${name} -= ${literalIndex(scope)};`])]
    case 'set[(int, bool)]':
      return [`${name} += (${expressionOf(scope, '(int, bool)', 1)});`]
    case 'map[int, int]': {
      const key = literalIndex(scope)
      return random.pick([
        () => guarded(`!(${key} in ${name})`, `${name} += (${key}, ${int()});`, isRisky),
        () => [`${name}[${int()}] = ${int()};`],
        () => [`${name} -= ${key};`],
      ])()
    }
    case 'map[string, seq[int]]': {
      const key = random.pick(['"a"', '"b"'])
      return random.pick([
        () => [`${name}[${key}] = ${expressionOf(scope, 'seq[int]', 1)};`],
        () => guarded(`${key} in ${name}`, `${name}[${key}] += (0, ${int()});`, isRisky),
      ])()
    }
    case 'seq[any]':
      return random.pick([
        () => [`${name} += (${isRisky ? int() : '0'}, ${expressionOf(scope, 'any', 1)});`],
        () => [`${name} += (0, ${int()});`, `${name}[0] = (${name}[0] as int) + ${literalIndex(scope)};`],
      ])()
    case 'map[int, seq[set[int]]]':
      return changeOfSets(scope, name, isRisky)
    case 'seq[map[string, any]]':
      return changeOfMaps(scope, name, isRisky)
    case 'Part':
    case 'PartSet':
    case 'Main':
      return permit(scope, { name, type })
    case '(int, bool)':
      return [random.pick([`${name}.0 = ${int()};`, `${name}.1 = ${expressionOf(scope, 'bool', 1)};`])]
    case 'tRec':
      return [random.pick([`${name}.a = ${int()};`, `${name}.b = ${expressionOf(scope, 'bool', 1)};`])]
    default:
      return [`${name} = ${expressionOf(scope, type)};`]
  }
}

function changeOfSets(scope: Scope, name: string, isRisky: boolean): string[] {
  const key = literalIndex(scope)
  const lists = () => random.pick(['default(seq[set[int]])', `${name}[${key}]`])
  const { random } = scope
  return random.pick([
    () => guarded(`!(${key} in ${name})`, `${name}[${key}] = default(seq[set[int]]);`, false),
    () => guarded(`${key} in ${name}`, `${name}[${key}] += (0, ${expressionOf(scope, 'set[int]', 0)});`, isRisky),
    () => [
      `if (${key} in ${name} && sizeof(${name}[${key}]) > 0) {`,
      `  ${name}[${key}][0] ${random.pick(['+=', '+=', '-='])} (${expressionOf(scope, 'int', 1)});`,
      '}',
    ],
    () => guarded(`${key} in ${name}`, `${name}[${random.below(2)}] = ${lists()};`, isRisky),
    () => [`${name} -= ${key};`],
  ])()
}

/** What is put in as anything is taken out as what it is. */
function changeOfMaps(scope: Scope, name: string, isRisky: boolean): string[] {
  const { random } = scope
  const key = random.pick(['"a"', '"b"'])
  return random.pick([
    () => [`${name} += (0, default(map[string, any]));`],
    () => guarded(`sizeof(${name}) > 0`, `${name}[0][${key}] = ${expressionOf(scope, 'any', 1)};`, isRisky),
    () => [
      `if (sizeof(${name}) > 0) {`,
      `  ${name}[0]["n"] = ${expressionOf(scope, 'int', 1)};`,
      `  ${name}[0][${key}] = ((${name}[0]["n"] as int) + ${literalIndex(scope)});`,
      '}',
    ],
    () => guarded(`sizeof(${name}) > 0 && ${key} in ${name}[0]`, `${name}[0] -= ${key};`, isRisky),
  ])()
}

/** A machine that is there becomes one that receives so much, if it does. */
function permit(scope: Scope, { name, type }: Variable): string[] {
  const { random } = scope
  const known = variablesOf(scope, 'machine')
  if (known.length === 0) return [`${name} = ${expressionOf(scope, type)};`]
  const from = random.pick(known)
  const word = type === 'PartSet' || chance(random, 25) ? 'as' : 'to'
  return [`if (${from.name} != null) {`, `  ${name} = (${from.name} ${word} ${type});`, '}']
}

/** To a reference that says what may be sent there. Whether it is null is seen only by what takes anything. */
function sendPermitted(scope: Scope): string[] {
  const { random } = scope
  const known = scope.variables.filter(({ type }) => permissions.has(type))
  if (known.length === 0) return send(scope)
  const { name, type } = random.pick(known)
  const able = scope.isCostly ? scope.events : scope.events.filter(({ rank }) => rank >= scope.least)
  const allowed = able.filter(({ name: one }) => type === 'Main' || permittedToPart.includes(one) || risk(scope, 20))
  if (allowed.length === 0) return send(scope)
  const event = random.pick(allowed)
  const line = `send ${name}, ${event.name}${argument(scope, event)};`
  return paid(scope, risk(scope, 8) ? [line] : [`if ((${name} as any) != null) {`, `  ${line}`, '}'])
}

/** Into a variable that takes anything, and back. */
function castBack(scope: Scope): string[] {
  const free = scope.variables.filter(({ isFixed }) => isFixed !== true)
  const anything = free.find(({ type }) => type === 'any')
  const known = free.filter(({ type }) => castable.has(type) || (permissions.has(type) && !scope.isMonitor))
  if (anything === undefined || known.length === 0) return change(scope)
  const { name, type } = scope.random.pick(known)
  return [`${anything.name} = ${expressionOf(scope, type, 1)};`, `${name} = (${anything.name} as ${type});`]
}

function literalIndex({ random }: Scope): string {
  return String(random.below(3))
}

function guarded(condition: string, line: string, isRisky: boolean): string[] {
  return isRisky ? [line] : [`if (${condition}) {`, `  ${line}`, '}']
}

/** Only where it may happen again and again. */
function paid(scope: Scope, lines: readonly string[]): string[] {
  if (!scope.isCostly) return [...lines]
  return ['if (fuel > 0) {', '  fuel = fuel - 1;', ...indented(lines), '}']
}

function sendable(scope: Scope): EventPlan | undefined {
  const { random, events } = scope
  // What costs fuel may be of any rank.
  const able = scope.isCostly ? events : events.filter(({ rank }) => rank >= scope.least)
  return able.length === 0 ? undefined : random.pick(able)
}

function argument(scope: Scope, { payload }: EventPlan): string {
  if (payload === undefined) return ''
  if (payload === '(int, bool)' && chance(scope.random, 50)) {
    return `, ${expressionOf(scope, 'int', 1)}, ${expressionOf(scope, 'bool', 1)}`
  }
  return `, ${expressionOf(scope, payload, 1)}`
}

function send(scope: Scope): string[] {
  const { random } = scope
  const event = sendable(scope)
  if (event === undefined) return change(scope)
  const known = variablesOf(scope, 'machine')
  const to = known.length > 0 && chance(random, 85) ? random.pick(known).name : 'this'
  const name = chance(random, 6) ? 'halt' : event.name
  const line = `send ${to}, ${name}${name === 'halt' ? '' : argument(scope, event)};`
  return paid(scope, to === 'this' || risk(scope, 8) ? [line] : [`if (${to} != null) {`, `  ${line}`, '}'])
}

/** An event that is a value: which one is not known, so it costs fuel. */
function sendVariable(scope: Scope): string[] {
  const known = variablesOf(scope, 'event')
  if (known.length === 0) return send(scope)
  const { name } = scope.random.pick(known)
  const line = chance(scope.random, 70) || !scope.mayJump ? `send this, ${name};` : `raise ${name};`
  return paid({ ...scope, isCostly: true }, risk(scope, 15) ? [line] : [`if (${name} != null) {`, `  ${line}`, '}'])
}

function branch(scope: Scope): string[] {
  const isOpen = !scope.isMonitor && chance(scope.random, 30)
  const head = `if (${isOpen ? '$' : expressionOf(scope, 'bool')}) {`
  const otherwise = chance(scope.random, 40) ? ['} else {', ...within(scope, 2)] : []
  return [head, ...within(scope, 2), ...otherwise, '}']
}

function loop(scope: Scope): string[] {
  const { random } = scope
  const counter = variablesOf(scope, 'int').find(({ name, isFixed }) => isFixed && name.startsWith('i'))
  const each = scope.variables.find(({ name, isFixed }) => isFixed && name.startsWith('each'))
  const isEach = each !== undefined && chance(random, 50)
  if (!isEach && counter === undefined) return branch(scope)
  // So deep that there is no loop in a loop: they would share the counter.
  const inside: Scope = { ...scope, isLoop: true, depth: 2 }
  const first = scope.mayReceive && chance(random, 35) ? indented(receive(inside)) : []
  const collections =
    each === undefined
      ? []
      : scope.variables.filter(({ type }) => elementTypes[type] === each.type && !type.startsWith('map'))
  if (isEach && collections.length > 0) {
    return [`foreach (${each.name} in ${random.pick(collections).name}) {`, ...first, ...within(inside, 2), '}']
  }
  if (counter === undefined) return branch(scope)
  const { name } = counter
  return [
    `${name} = 0;`,
    `while (${name} < ${1 + random.below(3)}) {`,
    `  ${name} = ${name} + 1;`,
    ...first,
    ...within(inside, 2),
    '}',
  ]
}

function assertion(scope: Scope): string[] {
  const { random } = scope
  const holds = !risk(scope, 70)
  const claim = holds
    ? `((${expressionOf(scope, 'int', 0)} % 7) < 7)`
    : chance(random, 60)
      ? `(${expressionOf(scope, 'int', 1)} < ${2 + random.below(4)})`
      : expressionOf(scope, 'bool', 1)
  const message = random.pick(['', ', "wrong"', `, format("wrong {0}", ${expressionOf(scope, 'int', 1)})`])
  return [`assert ${claim}${message};`]
}

function leave(scope: Scope): string[] {
  const { random } = scope
  const condition = `if (${expressionOf(scope, 'bool')}) {`
  if (scope.isLoop) return [condition, `  ${random.pick(['break', 'continue'])};`, '}']
  if (!scope.mayReturn || chance(random, 60)) return change(scope)
  const value = scope.returns === undefined ? '' : ` ${expressionOf(scope, scope.returns, 1)}`
  return [condition, `  return${value};`, '}']
}

function jump(scope: Scope): string[] {
  const { random } = scope
  if (!scope.mayJump) return change(scope)
  const lines = chance(random, 50) ? raise(scope) : goTo(scope)
  if (lines === undefined) return change(scope)
  const always = chance(random, 20) ? lines : [`if (${expressionOf(scope, 'bool')}) {`, ...indented(lines), '}']
  return paid(scope, always)
}

function raise(scope: Scope): string[] | undefined {
  if (chance(scope.random, 5) && !scope.isMonitor) return ['raise halt;']
  const event = sendable(scope)
  return event && [`raise ${event.name}${argument(scope, event)};`]
}

/** The entries of all states but the first take an int, or nothing. */
function goTo(scope: Scope): string[] | undefined {
  const { states } = scope.machine
  if (states.length < 2) return undefined
  const to = scope.random.pick(states.slice(1))
  return [`goto ${to}${to.endsWith('N') ? `, ${expressionOf(scope, 'int', 1)}` : ''};`]
}

function receive(scope: Scope): string[] {
  const { random, events } = scope
  const first = random.pick(events)
  const others = events.filter(({ name }) => name !== first.name && chance(random, 25))
  const before = first.rank >= scope.least && !scope.isCostly && !risk(scope, 40)
  if (!before && !scope.isRisky) return change(scope)
  return [
    ...(before ? [`send this, ${first.name}${argument(scope, first)};`] : []),
    'receive {',
    ...indented(
      [first, ...others].flatMap((event) => {
        const likewise = events.filter((one) => one.payload === event.payload && one !== first && !others.includes(one))
        return receiveCase(scope, event, event === first && chance(random, 20) ? likewise : [])
      }),
    ),
    '}',
  ]
}

function receiveCase(scope: Scope, event: EventPlan, likewise: readonly EventPlan[]): string[] {
  const takes = event.payload !== undefined
  const param: Variable = { name: `r${scope.depth}`, type: event.payload ?? 'int' }
  const local: Variable = { name: `c${scope.depth}`, type: 'int' }
  const own = [local, ...(takes ? [param] : [])]
  const inside: Scope = {
    ...scope,
    variables: [...scope.variables.filter(({ name }) => own.every((one) => one.name !== name)), ...own],
    least: Math.max(scope.least, ...[event, ...likewise].map(({ rank }) => rank + 1)),
    isLoop: false,
    mayReceive: scope.mayReceive && scope.depth < 1,
    // A case returns from the function around it, and cannot say with what.
    mayReturn: scope.mayReturn && scope.returns === undefined,
    depth: scope.depth + 1,
  }
  const count = `${local.name} = ${local.name} + 1;`
  const note = scope.variables.some(({ name }) => name === 'log') ? [`log += (sizeof(log), 20 + ${local.name});`] : []
  const body = [`var ${local.name}: int;`, count, ...note, ...statementsOf(inside, 2)]
  const names = [event, ...likewise].map(({ name }) => name).join(', ')
  return [`case ${names}: ${takes ? `(${param.name}: ${param.type}) ` : ''}{`, ...indented(body), '}']
}

function announce(scope: Scope): string[] {
  if (scope.isMonitor) return change(scope)
  const event = scope.random.pick(scope.events)
  return [`announce ${event.name}${argument(scope, event)};`]
}

function create(scope: Scope): string[] {
  if (scope.creates.length === 0) return change(scope)
  return [creationOf(scope, scope.random.pick(scope.creates))]
}

export function creationOf(scope: Scope, machine: MachinePlan): string {
  const known = variablesOf(scope, 'machine')
  const into = known.length > 0 && chance(scope.random, 90) ? `${scope.random.pick(known).name} = ` : ''
  return `${into}new ${machine.as ?? machine.name}(${creationArgument(scope, machine)});`
}

function creationArgument(scope: Scope, { takes }: MachinePlan): string {
  switch (takes) {
    case 'nothing':
      return ''
    case 'machine':
      return expressionOf(scope, 'machine', 0)
    case 'tInit':
      return `(peer = ${expressionOf(scope, 'machine', 0)}, n = ${expressionOf(scope, 'int', 1)})`
    case '(machine, int)':
      return `${expressionOf(scope, 'machine', 0)}, ${expressionOf(scope, 'int', 1)}`
  }
}
