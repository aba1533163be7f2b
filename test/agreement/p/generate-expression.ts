/** Random expressions of P that have the type asked for. */
import type { Random } from '../../../src/core/random.ts'
import { chance, elementTypes, risk, type Scope, type TypeText, type Variable, variablesOf } from './generate-scope.ts'

/** How much an expression may still branch. */
export function expressionOf(scope: Scope, type: TypeText, size = 2): string {
  const { random } = scope
  const known = variablesOf(scope, type)
  if (known.length > 0 && chance(random, size > 0 ? 40 : 70)) return random.pick(known).name
  if (size > 0 && chance(random, 8)) {
    const called = callOf(scope, type)
    if (called !== undefined) return called
  }
  if (size > 0 && type !== 'any' && risk(scope, 4)) {
    const anything = someOf(scope, 'any')
    if (anything !== undefined && castable.has(type)) return `(${anything.name} as ${type})`
  }
  if (size > 0 && !scope.isMonitor && risk(scope, 4)) {
    const chosen = chosenElement(scope, type)
    if (chosen !== undefined) return chosen
  }
  if (chance(random, 3)) return `default(${type})`
  return writers[type](scope, size - 1)
}

/** Types whose values are told apart at run time. */
export const castable: ReadonlySet<TypeText> = new Set([
  'int',
  'bool',
  'string',
  'machine',
  'event',
  'seq[int]',
  'tRec',
  'data',
  'seq[any]',
])

/** One of the variables of a type, if there is one. */
function someOf(scope: Scope, type: TypeText): Variable | undefined {
  const known = variablesOf(scope, type)
  return known.length === 0 ? undefined : scope.random.pick(known)
}

export function callOf(scope: Scope, type: TypeText | undefined): string | undefined {
  const { random, functions } = scope
  const usable = functions.filter(
    ({ returns, acts, jumps, sends }) =>
      returns === type &&
      !(acts && scope.isMonitor) &&
      !(jumps && !scope.mayJump) &&
      !((sends || jumps) && (scope.isCostly || scope.least > lastRank(scope))) &&
      !(acts && !scope.mayReceive),
  )
  if (usable.length === 0) return undefined
  const { name, params } = random.pick(usable)
  return `${name}(${params.map((param) => expressionOf(scope, param, 1)).join(', ')})`
}

export function lastRank({ events }: Scope): number {
  return events.length - 1
}

function chosenElement(scope: Scope, type: TypeText): string | undefined {
  const from = scope.variables.filter((variable) => elementTypes[variable.type] === type)
  return from.length === 0 ? undefined : `choose(${scope.random.pick(from).name})`
}

type Writer = (scope: Scope, size: number) => string

const writers: Record<TypeText, Writer> = {
  int: wholeNumber,
  bool: condition,
  string: text,
  Color: ({ random }) => random.pick(['RED', 'GREEN', 'BLUE']),
  machine: (scope) => {
    if (scope.isMonitor) return 'null as machine'
    const known = someOf(scope, 'machine')
    if (known !== undefined && chance(scope.random, 60)) return known.name
    return chance(scope.random, 92) ? 'this' : '(null as machine)'
  },
  event: ({ random, events }) => {
    const plain = events.filter(({ payload }) => payload === undefined)
    return random.pick(plain).name
  },
  any: (scope, size) => {
    const type = scope.random.pick(['int', 'bool', 'string', 'tRec', 'seq[int]', 'int'] as const)
    return chance(scope.random, 12) ? 'null' : expressionOf(scope, type, size)
  },
  'seq[int]': (scope) => {
    const known = someOf(scope, 'map[int, int]')
    return known === undefined ? 'default(seq[int])' : `${scope.random.pick(['keys', 'values'])}(${known.name})`
  },
  'set[int]': () => 'default(set[int])',
  'map[int, int]': () => 'default(map[int, int])',
  '(int, bool)': (scope, size) => `(${expressionOf(scope, 'int', size)}, ${expressionOf(scope, 'bool', size)})`,
  tRec: (scope, size) => `(a = ${expressionOf(scope, 'int', size)}, b = ${expressionOf(scope, 'bool', size)})`,
  'seq[tRec]': () => 'default(seq[tRec])',
  'map[string, seq[int]]': () => 'default(map[string, seq[int]])',
  'set[(int, bool)]': () => 'default(set[(int, bool)])',
  // Everything but what has machines in it.
  data: (scope, size) => {
    const type = scope.random.pick(['int', 'bool', 'string', 'tRec', 'seq[int]', 'Color', 'map[int, int]'] as const)
    return chance(scope.random, 10) ? 'null' : expressionOf(scope, type, size)
  },
  'seq[any]': (scope) => expressionOf(scope, 'seq[int]', -1),
  'map[int, seq[set[int]]]': () => 'default(map[int, seq[set[int]]])',
  'seq[map[string, any]]': () => 'default(seq[map[string, any]])',
  Main: (scope) => permission(scope, 'Main'),
  Part: (scope) => permission(scope, 'Part'),
  PartSet: (scope) => permission(scope, 'PartSet'),
  float: (scope, size) =>
    scope.random.pick(['0.5', '2.0', `(${expressionOf(scope, 'int', Math.min(size, 0))} to float)`]),
}

/** A machine as what receives some events; of the two with the same events one is as good as the other. */
function permission(scope: Scope, type: 'Main' | 'Part' | 'PartSet'): string {
  if (scope.isMonitor) return `default(${type})`
  const other = type === 'Main' ? undefined : someOf(scope, type === 'Part' ? 'PartSet' : 'Part')
  if (other !== undefined && chance(scope.random, 30)) return other.name
  const word = type === 'PartSet' || chance(scope.random, 30) ? 'as' : 'to'
  return `((this as machine) ${word} ${type})`
}

function literal(random: Random): string {
  return String(random.below(4))
}

function wholeNumber(scope: Scope, size: number): string {
  const { random } = scope
  if (size < 0) return literal(random)
  const int = () => expressionOf(scope, 'int', size - 1)
  const part = (type: TypeText, rest: string) => {
    const known = someOf(scope, type)
    return known === undefined ? literal(random) : `${known.name}${rest}`
  }
  switch (random.below(18)) {
    case 0:
    case 1:
      return `(${int()} + ${int()})`
    case 2:
      return `(${int()} - ${int()})`
    case 3:
      return `(${int()} * ${literal(random)})`
    case 4:
      return `(${int()} / ${risk(scope, 15) ? int() : '2'})`
    case 5:
      return `(${int()} % ${risk(scope, 10) ? int() : '3'})`
    case 6:
      return `-${int()}`
    case 7: {
      const sized = scope.variables.filter(({ type }) => elementTypes[type] !== undefined)
      return sized.length === 0 ? literal(random) : `sizeof(${random.pick(sized).name})`
    }
    case 8:
      return scope.isMonitor ? literal(random) : `choose(${risk(scope, 20) ? int() : random.pick(['2', '2', '3'])})`
    case 9:
      return part('(int, bool)', '.0')
    case 10:
      return part('tRec', '.a')
    case 11:
      return `(${expressionOf(scope, 'Color', 0)} to int)`
    case 12:
      return risk(scope, 30) ? part('seq[int]', `[${int()}]`) : literal(random)
    case 13:
      return risk(scope, 30) ? part('map[int, int]', `[${int()}]`) : literal(random)
    case 14:
      return risk(scope, 30) ? part(random.pick(['set[int]', 'seq[int]']), '[0]') : literal(random)
    case 15:
      return `(${expressionOf(scope, 'float', 0)} to int)`
    case 17:
      return risk(scope, 40) ? nested(scope) : literal(random)
    default: {
      if (!scope.functions.some(({ name }) => name === 'bump')) return literal(random)
      return random.pick(['(bumped - bump())', '(bump() + bumped)', '(bump() - bump())'])
    }
  }
}

/** What is deep inside, and what it is there; both may be otherwise. */
function nested(scope: Scope): string {
  const { random } = scope
  const key = literal(random)
  const ways: readonly [TypeText, (name: string) => string][] = [
    ['seq[any]', (name) => `(${name}[${key}] as int)`],
    ['map[int, seq[set[int]]]', (name) => `sizeof(${name}[${key}][0])`],
    ['seq[map[string, any]]', (name) => `(${name}[0]["a"] as int)`],
    ['seq[map[string, any]]', (name) => `sizeof((${name}[0]["b"] as seq[int]))`],
    ['data', (name) => `(${name} as int)`],
  ]
  const known = ways.flatMap(([type, read]) => variablesOf(scope, type).map(({ name }) => read(name)))
  return known.length === 0 ? literal(random) : random.pick(known)
}

const compared: readonly TypeText[] = [
  'int',
  'int',
  'bool',
  'string',
  'Color',
  'machine',
  'tRec',
  'seq[int]',
  'set[int]',
  'event',
  'seq[any]',
  'map[int, seq[set[int]]]',
]

function condition(scope: Scope, size: number): string {
  const { random } = scope
  if (size < 0) return random.pick(['true', 'false'])
  const bool = () => expressionOf(scope, 'bool', size - 1)
  switch (random.below(14)) {
    case 0:
    case 1:
    case 2:
      return `(${expressionOf(scope, 'int', size - 1)} ${random.pick(['<', '>', '<=', '>=', '==', '!='])} ${expressionOf(scope, 'int', size - 1)})`
    case 3: {
      const type = random.pick(['any', 'any', 'data'] as const)
      const known = someOf(scope, type)
      if (known !== undefined) return `(${known.name} == ${expressionOf(scope, type, 0)})`
      return 'false'
    }
    case 4: {
      const type = random.pick(compared)
      return `(${expressionOf(scope, type, 0)} ${random.pick(['==', '!='])} ${expressionOf(scope, type, 0)})`
    }
    case 5:
      return `!${bool()}`
    case 6:
      return `(${bool()} ${random.pick(['&&', '&&', '==', '!='])} ${bool()})`
    case 7:
      return `(${bool()} || ${bool()})`
    case 8:
    case 9: {
      const sized = scope.variables.filter(({ type }) => elementTypes[type] !== undefined)
      const within = sized.length === 0 ? undefined : random.pick(sized)
      const element = within === undefined ? undefined : elementTypes[within.type]
      if (within === undefined || element === undefined) return 'true'
      return `(${expressionOf(scope, element, 0)} in ${within.name})`
    }
    case 10:
    case 11:
      return scope.isMonitor ? 'true' : random.pick(['$', '$', '$$', 'choose()'])
    case 12: {
      const known = someOf(scope, random.pick(['tRec', '(int, bool)']))
      return known === undefined ? 'false' : `${known.name}.${known.type === 'tRec' ? 'b' : '1'}`
    }
    default:
      return random.pick(['true', 'false'])
  }
}

function text(scope: Scope, size: number): string {
  const { random } = scope
  if (size < 0 || chance(random, 50)) return random.pick(['"a"', '"b"', '""'])
  if (chance(random, 30)) return `(${expressionOf(scope, 'string', -1)} + "c")`
  const template = random.pick(['x{0}{1}', '{1}:{0}', '{0}{1}{0}'])
  return `format("${template}", ${expressionOf(scope, 'int', size - 1)}, ${expressionOf(scope, 'string', -1)})`
}
