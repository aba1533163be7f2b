/** A term while it is written, phase by phase: who takes part, and what each has to do so far. */
import type { Random } from '../../src/core/random.ts'
import type { Count, Expression, Icet, IcetProcess, Statement } from '../../src/program/icet.ts'
import {
  daemon,
  each,
  equals,
  field,
  forEver,
  literal,
  many,
  one,
  param,
  receive,
  repeat,
  term,
  variable,
  when,
} from './icet-build.ts'

export interface Participant {
  readonly name: string
  /** Undefined for a process that is no set. */
  readonly count: Count | undefined
  readonly body: Statement[]
}

/** A process that serves for ever: what it does for a message of each kind, which it has in the variable `call`. */
interface Server {
  readonly name: string
  readonly count: Count | undefined
  readonly serves: { readonly kind: string; readonly answer: readonly Statement[] }[]
}

const singleNames = ['p', 'm', 's'] as const
const setNames = ['q', 'r'] as const

export class Draft {
  readonly random: Random
  readonly #participants: Participant[] = []
  readonly #servers: Server[] = []
  readonly #least = new Map<string, number>()
  readonly #kinds: string[] = []
  #names = 0

  /** How often a phase uses a kind that an earlier one has. */
  readonly #reuse: number

  constructor(random: Random, reuse: number) {
    this.random = random
    this.#reuse = reuse
  }

  chance(probability: number): boolean {
    return this.random.below(1000) < probability * 1000
  }

  fresh(prefix: string): string {
    return `${prefix}${++this.#names}`
  }

  /** A kind of message: mostly a new one, because phases that share kinds take each other's messages. */
  kind(): string {
    if (this.#kinds.length > 0 && this.chance(this.#reuse)) return this.random.pick(this.#kinds)
    const kind = this.fresh('k')
    this.#kinds.push(kind)
    return kind
  }

  /** A process that is no set, other than the given ones; `main` now and then. */
  single(...others: readonly Participant[]): Participant {
    const known = this.#participants.filter((each) => each.count === undefined && !others.includes(each))
    if (known.length > 0 && (known.length + others.length >= singleNames.length || this.chance(0.75)))
      return this.random.pick(known)
    const isFirst = !this.#participants.some(({ count }) => count === undefined)
    const free = singleNames.find((name) => !this.#participants.some((known) => known.name === name)) ?? this.fresh('x')
    return this.#added(isFirst && this.chance(0.2) ? 'main' : free, undefined)
  }

  set(...others: readonly Participant[]): Participant {
    const known = this.#participants.filter((each) => each.count !== undefined && !others.includes(each))
    const taken = this.#participants.filter(({ count }) => count !== undefined).length
    if (known.length > 0 && (taken >= setNames.length || this.chance(0.75))) return this.random.pick(known)
    const name = setNames[taken] ?? this.fresh('y')
    return this.#added(name, taken === 0 ? this.rounds('n') : this.#otherCount())
  }

  #added(name: string, count: Count | undefined): Participant {
    const participant: Participant = { name, count, body: [] }
    this.#participants.push(participant)
    return participant
  }

  #otherCount(): Count {
    if (this.chance(0.2)) return { kind: 'number', value: 2 }
    return this.#near(this.parameter(this.chance(0.3) ? 'n' : 'k'))
  }

  /** Now and then one more or less; a process for each other one, say. */
  #near(count: Count): Count {
    return count.kind === 'parameter' && this.chance(0.2) ? param(count.name, this.random.pick([-1, 1])) : count
  }

  /** How often something is done. */
  rounds(name: string): Count {
    return this.#near(this.parameter(name))
  }

  parameter(name: string, least = 0): Count {
    this.#least.set(name, Math.max(least, this.#least.get(name) ?? 0))
    return param(name)
  }

  /** A server that answers messages of a new kind; a set of servers when it is to be picked from. */
  server(name: string, count?: Count): Server {
    const known = this.#servers.find((server) => server.name === name)
    if (known !== undefined) return known
    const server: Server = { name, count, serves: [] }
    this.#servers.push(server)
    return server
  }

  /** As often as the set has members, over the set itself or counting. */
  times(set: Participant, member: string | undefined, ...body: readonly Statement[]): Statement {
    const counts = member === undefined && set.count !== undefined && this.chance(0.35)
    return counts ? repeat(undefined, set.count, ...body) : each(member ?? this.fresh('e'), set.name, ...body)
  }

  finished(name: string): Icet {
    const participants = this.#participants.map(({ name, count, body }) =>
      count === undefined ? one(name, ...body) : many(name, count, ...body),
    )
    // The main process comes first, whichever phase brought it in.
    participants.sort((left, right) => Number(right.name === 'main') - Number(left.name === 'main'))
    const parameters = [...this.#least].map(([name, least]) => ({ name, least }))
    return term(name, parameters, ...participants, ...this.#servers.map((server) => this.#serving(server)))
  }

  #serving({ name, count, serves }: Server): IcetProcess {
    const kinds = serves.map(({ kind }) => kind)
    const loop = forEver(receive('call', this.chance(0.15) ? undefined : kinds), ...dispatched(serves))
    return daemon(count === undefined ? one(name, loop) : many(name, count, loop))
  }
}

/** What the message in `call` asks for. */
export const caller: Expression = field(variable('call'), 'from')

function dispatched(serves: Server['serves']): readonly Statement[] {
  const [first, ...rest] = serves
  if (first === undefined) return []
  if (rest.length === 0) return first.answer
  return [when(equals(field(variable('call'), 'kind'), literal(first.kind)), first.answer, dispatched(rest))]
}
