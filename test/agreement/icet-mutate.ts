/** Small changes of terms, of the kind that people make by mistake and that a careless proof does not notice. */
import type { Random } from '../../src/core/random.ts'
import {
  assignedBy,
  blocksOf,
  type Count,
  type Expression,
  expressionsOf,
  type Icet,
  type IcetProcess,
  partsOf,
  type Statement,
  type StatementKind,
  type StatementOf,
  statementsOf,
} from '../../src/program/icet.ts'
import {
  assign,
  assume,
  binary,
  choose,
  end,
  fail,
  field,
  forEver,
  leave,
  literal,
  message,
  numbered,
  param,
  repeat,
  self,
  send,
  size,
  the,
  variable,
  when,
  withBlocks,
} from './icet-build.ts'
import { isWellFormed } from './icet-well-formed.ts'

/** The term with one change, or the same term when this draw changes nothing that can be changed. */
export function mutated(icet: Icet, random: Random): Icet {
  const changed = numbered(random.pick(mutations)(icet, random))
  return isWellFormed(changed) ? changed : icet
}

type Mutation = (icet: Icet, random: Random) => Icet

const mutations: readonly Mutation[] = [
  dropped,
  duplicated,
  swapped,
  otherKind,
  otherTarget,
  otherTarget,
  otherSender,
  otherSender,
  otherSender,
  movedOut,
  movedOut,
  movedIn,
  otherSize,
  guarded,
  otherCount,
  otherCount,
  otherConstant,
  otherConstant,
  failing,
  failing,
  failing,
  trapped,
  trapped,
  optional,
  inLoop,
  assuming,
  ending,
  otherDaemon,
]

/** Puts other statements in the place of one of those that qualify. */
function replaced<K extends StatementKind>(
  icet: Icet,
  random: Random,
  kinds: readonly K[] | undefined,
  by: (statement: StatementOf<K>, process: IcetProcess) => readonly Statement[],
): Icet {
  const places = icet.processes.flatMap((process) =>
    [...statementsOf(process.body)]
      .filter(({ kind }) => kinds === undefined || kinds.includes(kind as K))
      .map(({ id }) => ({ process, id })),
  )
  if (places.length === 0) return icet
  const { id, process } = random.pick(places)
  return onBlocks(icet, (block) =>
    block.flatMap((statement) => (statement.id === id ? by(statement as StatementOf<K>, process) : [statement])),
  )
}

/** Rewrites every block, inner ones first. */
export function onBlocks(icet: Icet, change: (block: readonly Statement[]) => readonly Statement[]): Icet {
  const inside = (block: readonly Statement[]): readonly Statement[] =>
    change(block.map((statement) => withBlocks(statement, blocksOf(statement).map(inside))))
  return { ...icet, processes: icet.processes.map((process) => ({ ...process, body: inside(process.body) })) }
}

function dropped(icet: Icet, random: Random): Icet {
  return replaced(icet, random, undefined, () => [])
}

function duplicated(icet: Icet, random: Random): Icet {
  return replaced(icet, random, ['send', 'receive', 'each', 'repeat'], (statement) => [statement, statement])
}

function swapped(icet: Icet, random: Random): Icet {
  const first = new Set<number>()
  for (const block of blocksIn(icet)) for (const { id } of block.slice(0, -1)) first.add(id)
  if (first.size === 0) return icet
  const chosen = random.pick([...first])
  return onBlocks(icet, (block) => {
    const at = block.findIndex(({ id }) => id === chosen)
    if (at < 0) return block
    return [...block.slice(0, at), ...block.slice(at, at + 2).reverse(), ...block.slice(at + 2)]
  })
}

function* blocksIn(icet: Icet): Generator<readonly Statement[]> {
  for (const { body } of icet.processes) {
    yield body
    for (const statement of statementsOf(body)) yield* blocksOf(statement)
  }
}

function otherKind(icet: Icet, random: Random): Icet {
  const kinds = kindsIn(icet)
  return replaced(icet, random, ['send', 'receive'], (statement) => {
    const kind = random.pick(kinds)
    if (statement.kind === 'send') return [{ ...statement, message: withKind(statement.message, kind) }]
    if (statement.kinds === undefined || random.below(4) === 0) return [{ ...statement, kinds: undefined }]
    return [{ ...statement, kinds: random.below(2) === 0 ? [kind] : [...new Set([...statement.kinds, kind])] }]
  })
}

export function kindsIn(icet: Icet): readonly string[] {
  const kinds = new Set<string>()
  for (const { body } of icet.processes) {
    for (const statement of statementsOf(body)) {
      if (statement.kind === 'receive') for (const kind of statement.kinds ?? []) kinds.add(kind)
    }
  }
  return kinds.size === 0 ? ['k'] : [...kinds]
}

function withKind(sent: Expression, kind: string): Expression {
  if (sent.kind !== 'record') return message(kind)
  const fields = sent.fields.map((field) => (field.name === 'kind' ? { ...field, value: literal(kind) } : field))
  return { ...sent, fields }
}

function otherTarget(icet: Icet, random: Random): Icet {
  return replaced(icet, random, ['send'], (statement, process) => [
    { ...statement, to: someone(icet, process, random) },
  ])
}

/** Some process, or whoever a variable of this process may hold. */
function someone(icet: Icet, { body }: IcetProcess, random: Random): Expression {
  const singles = icet.processes.filter(({ count }) => count === undefined).map(({ name }) => the(name))
  const held = [...statementsOf(body)].flatMap((inner) => addressesIn(inner))
  return random.pick([...singles, ...held, ...held, ...(random.below(4) === 0 ? [self] : [])])
}

/** Loop variables, and addresses that are taken from messages. */
function addressesIn(statement: Statement): readonly Expression[] {
  if (statement.kind === 'each' || statement.kind === 'pick') return [variable(statement.variable)]
  const mentioned = expressionsOf(statement).flatMap((expression) => [...partsOf(expression)])
  return mentioned.filter((part) => part.kind === 'field' && ['from', 'to'].includes(part.name))
}

function otherSender(icet: Icet, random: Random): Icet {
  return replaced(icet, random, ['receive'], (statement, process) => {
    const from = statement.from === undefined || random.below(3) === 0 ? someone(icet, process, random) : undefined
    return [{ ...statement, from }]
  })
}

/** The last or the first statement of a loop stands behind or before it. */
function movedOut(icet: Icet, random: Random): Icet {
  return replaced(icet, random, ['each', 'repeat', 'while'], (loop) => {
    const { body } = loop
    const [first, last] = [body[0], body.at(-1)]
    if (first === undefined || last === undefined) return [loop]
    return random.below(2) === 0
      ? [withBlocks(loop, [body.slice(0, -1)]), last]
      : [first, withBlocks(loop, [body.slice(1)])]
  })
}

/** The statement beside a loop goes into it. */
function movedIn(icet: Icet, random: Random): Icet {
  const isLoop = (statement: Statement | undefined) => statement?.kind === 'each' || statement?.kind === 'repeat'
  const loops = [...blocksIn(icet)].flatMap((block) => block.filter((statement) => isLoop(statement)))
  if (loops.length === 0) return icet
  const { id } = random.pick(loops)
  const before = random.below(2) === 0
  return onBlocks(icet, (block) => {
    const at = block.findIndex((statement) => statement.id === id)
    const [loop, moved] = [block[at], block[before ? at - 1 : at + 1]]
    if (loop === undefined || moved === undefined) return block
    const inner = blocksOf(loop)[0] ?? []
    const larger = withBlocks(loop, [before ? [moved, ...inner] : [...inner, moved]])
    return block.flatMap((statement) => (statement === loop ? [larger] : statement === moved ? [] : [statement]))
  })
}

function otherCount(icet: Icet, random: Random): Icet {
  const counts: readonly Count[] = [
    ...icet.parameters.map(({ name }) => param(name)),
    ...icet.parameters.map(({ name }) => param(name, random.pick([-2, -1, 1]))),
    { kind: 'number', value: random.below(3) },
  ]
  return replaced(icet, random, ['repeat', 'each'], (loop) => {
    if (loop.kind === 'repeat') return [{ ...loop, count: random.pick(counts) }]
    return [repeat(undefined, random.pick(counts), ...loop.body)]
  })
}

/** A set has one member more or less than its size says. */
function otherSize(icet: Icet, random: Random): Icet {
  const sets = icet.processes.filter(({ count }) => count?.kind === 'parameter')
  if (sets.length === 0) return icet
  const changed = random.pick(sets)
  const count = changed.count as Extract<Count, { kind: 'parameter' }>
  const other = param(count.name, (count.plus ?? 0) + random.pick([-1, -1, 1]))
  return { ...icet, processes: icet.processes.map((one) => (one === changed ? { ...one, count: other } : one)) }
}

/** A process ends, or fails, before some statement of its own if a size is small. */
function guarded(icet: Icet, random: Random): Icet {
  const singles = icet.processes.filter(({ count, daemon }) => count === undefined && !daemon)
  if (singles.length === 0 || icet.parameters.length === 0) return icet
  const changed = random.pick(singles)
  const operator = random.pick(['===', '===', '<', '<=', '!==', '>'] as const)
  const condition = binary(size(random.pick(icet.parameters).name), operator, literal(random.below(2)))
  const at = random.below(changed.body.length + 1)
  const guard = when(condition, [random.below(6) === 0 ? fail('guarded') : end])
  const body = changed.body.toSpliced(at, 0, guard)
  return { ...icet, processes: icet.processes.map((one) => (one === changed ? { ...one, body } : one)) }
}

function otherConstant(icet: Icet, random: Random): Icet {
  const constants = icet.processes.flatMap(({ body }) =>
    [...statementsOf(body)].flatMap((inner) => (inner.kind === 'assign' ? [inner.value] : [])),
  )
  const other = (old: Expression): Expression => {
    if (old.kind === 'literal') return literal(otherLiteral(old.value, random))
    if (old.kind === 'binary') return { ...old, right: other(old.right) }
    if (old.kind === 'record')
      return {
        ...old,
        fields: old.fields.map((field, at) => (at === 0 ? field : { ...field, value: other(field.value) })),
      }
    return constants.length > 0 && random.below(4) === 0 ? random.pick(constants) : old
  }
  return replaced(icet, random, ['if', 'assert', 'assign', 'choose', 'send'], (statement) => {
    switch (statement.kind) {
      case 'assign':
        return [{ ...statement, value: other(statement.value) }]
      case 'choose':
        return [{ ...statement, options: statement.options.map((option, at) => (at === 0 ? other(option) : option)) }]
      case 'send':
        return [{ ...statement, message: other(statement.message) }]
      default:
        return [{ ...statement, condition: other(statement.condition) }]
    }
  })
}

function otherLiteral(value: unknown, random: Random): string | number | boolean {
  if (typeof value === 'number') return value + (random.below(2) === 0 ? 1 : -1)
  if (typeof value === 'boolean') return !value
  return random.pick(['yes', 'no', 'work', 'term', 'commit'])
}

/** A `fail` behind a condition on variables of the process: on constants, on kinds, on who is who. */
function failing(icet: Icet, random: Random): Icet {
  return replaced(icet, random, undefined, (statement, process) => {
    const left = random.pick(valuesIn(process))
    const right = random.below(2) === 0 ? random.pick(valuesIn(process)) : literal(random.pick(constants))
    const isKind = left.kind === 'field' && left.name === 'kind'
    const compared = isKind ? literal(random.pick(kindsIn(icet))) : right
    const condition = binary(left, random.pick(['===', '===', '!==']), compared)
    const fails = when(condition, [fail('unexpected')])
    return random.below(3) === 0 ? [fails, statement] : [statement, fails]
  })
}

/** An assumption about a variable, which may have been told to others already. */
function assuming(icet: Icet, random: Random): Icet {
  return replaced(icet, random, undefined, (statement, process) => {
    const condition = binary(random.pick(valuesIn(process)), '===', literal(random.pick(constants)))
    return [statement, assume(random.below(2) === 0 ? condition : random.pick(valuesIn(process)))]
  })
}

const constants = [undefined, null, 0, 1, 2, true, false, 'yes']

/** Variables of a process and fields of the messages it has in them. */
function valuesIn({ body }: IcetProcess): readonly Expression[] {
  const values = [...statementsOf(body)].flatMap((inner): Expression[] => {
    const name = assignedBy(inner)
    if (name === undefined) return []
    if (inner.kind !== 'receive') return [variable(name)]
    return ['kind', 'from', 'x'].map((part) => field(variable(name), part))
  })
  return values.length === 0 ? [literal(0)] : values
}

/** A send that is of another kind from the second time on, or that does not happen again. */
function trapped(icet: Icet, random: Random): Icet {
  const kinds = kindsIn(icet)
  const flips = literal(random.below(4) === 0 ? 0 : 1)
  const seen = 'trap'
  const changed = replaced(icet, random, ['send'], (statement) => {
    const other = send(statement.to, withKind(statement.message, random.pick(kinds)))
    const isFirst = binary(variable(seen), '!==', literal(1))
    return [when(isFirst, [statement], random.below(3) === 0 ? [] : [other]), assign(seen, flips)]
  })
  return changed
}

/** A statement that happens or does not, as chosen on the spot. */
function optional(icet: Icet, random: Random): Icet {
  return replaced(icet, random, ['send', 'receive', 'each'], (statement) => {
    const chosen = 'maybe'
    return [choose(chosen, literal(true), literal(false)), when(variable(chosen), [statement])]
  })
}

/** A loop that is left at its end, or now and then not at all. */
function inLoop(icet: Icet, random: Random): Icet {
  return replaced(icet, random, ['send', 'receive'], (statement) => [
    forEver(statement, ...(random.below(5) === 0 ? [] : [leave])),
  ])
}

function ending(icet: Icet, random: Random): Icet {
  return replaced(icet, random, undefined, (statement) => [statement, { ...leave, kind: 'end' } as Statement])
}

function otherDaemon(icet: Icet, random: Random): Icet {
  const { name } = random.pick(icet.processes)
  const processes = icet.processes.map((each) => (each.name === name ? { ...each, daemon: !each.daemon } : each))
  return name === 'main' ? icet : { ...icet, processes }
}
