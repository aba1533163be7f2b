/**
 * Ordinary objects at points that their author chose, against the search for an order of their calls. A server announces each call of a register, a queue or a lock,
 * with its result, where it carries it out. If all that is announced in an execution is allowed, the calls have an order: the one of the points. If not, they
 * may have another one, unless no two calls overlap; then both say the same of every execution.
 */
import {
  type Address,
  announce,
  checkResult,
  type Program,
  program,
  receive,
  refines,
  refuse,
  self,
  send,
  spawn,
  specification,
} from 'allways'
import { expect, test } from 'vitest'
import { orThrow } from '../../src/core/diagnostic.ts'
import type { Event } from '../../src/core/event.ts'
import type { Call } from '../../src/core/history.ts'
import { Random } from '../../src/core/random.ts'
import { settingFrom } from '../../src/core/setting.ts'
import type { Value } from '../../src/core/value.ts'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import { type AbstractCall, type AbstractObject, abstractObjectOf } from '../../src/program/refinement.ts'
import { decideHistory } from '../../src/properties/linearizability/decide-history.ts'
import type { Specification } from '../../src/properties/linearizability/specification.ts'
import { builtInSpecification } from '../../src/properties/linearizability/specifications/catalogue.ts'
import { replay } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { amount, atLeast, cut, isQuick } from '../amount.ts'
import { usualSetting } from './explored.ts'

interface Asked {
  readonly operation: string
  readonly args: readonly Value[]
}

/** What a server answers, and what is left. */
type Carried = readonly [result: Value, left: Value]

interface Kind {
  readonly name: 'register' | 'queue' | 'lock'
  readonly first: Value
  readonly carry: (state: Value, asked: Asked) => Carried
  readonly draw: (random: Random, made: number) => Asked
}

const kinds: readonly Kind[] = [
  {
    name: 'register',
    first: null,
    carry: (state, { operation, args }) => (operation === 'read' ? [state, state] : [null, args[0] as Value]),
    draw: (random, made) =>
      random.below(2) === 0 ? { operation: 'read', args: [] } : { operation: 'write', args: [made] },
  },
  {
    name: 'queue',
    first: [],
    carry(state, { operation, args }) {
      const items = state as readonly Value[]
      return operation === 'enqueue' ? [null, [...items, args[0] as Value]] : [items[0] ?? null, items.slice(1)]
    },
    draw: (random, made) =>
      random.below(2) === 0 ? { operation: 'dequeue', args: [] } : { operation: 'enqueue', args: [made] },
  },
  {
    name: 'lock',
    first: false,
    carry: (state, { operation }) => (operation === 'release' ? [null, false] : [state === false, true]),
    draw: () => ({ operation: 'tryAcquire', args: [] }),
  },
]

/** The same object, asked for one order: `carry` is what it does, and any other result is refused. */
function specified({ first, carry }: Kind) {
  return specification('object', {
    state: { now: first },
    operations: {
      call(state: { now: Value }, { operation, args, result }: Asked & { readonly result: Value }) {
        const [expected, left] = carry(state.now, { operation, args })
        if (operation === 'release' && state.now === false) return refuse('it is free')
        return JSON.stringify(expected) === JSON.stringify(result) ? { now: left } : refuse(`it is ${String(expected)}`)
      },
    },
  })
}

const ways = ['right', 'forgets', 'behind', 'replicas'] as const

interface Plan {
  readonly kind: Kind
  readonly way: (typeof ways)[number]
  /** By client. One that has got the lock releases it before it tries again. */
  readonly clients: readonly (readonly Asked[])[]
}

function drawn(random: Random, kind: Kind): Plan {
  const clients = 1 + random.below(2)
  const most = clients === 1 ? 4 : 2
  let made = 0
  const calls = () => Array.from({ length: 1 + random.below(most) }, () => kind.draw(random, ++made))
  return { kind, way: random.pick(ways), clients: Array.from({ length: clients }, calls) }
}

type Message =
  | { readonly kind: 'begin'; readonly server: Address<Message> }
  | { readonly kind: 'call'; readonly asked: Asked; readonly from: Address<Message> }
  | { readonly kind: 'copy'; readonly state: Value }
  | { readonly kind: 'answer'; readonly result: Value }

type Specified = ReturnType<typeof specified>

function* serve({ kind, way }: Plan, object: Specified, others: readonly Address<Message>[]) {
  let [state, before, count] = [kind.first, kind.first, 0]
  while (true) {
    const message = yield* receive<Message>()
    if (message.kind === 'copy') state = message.state
    if (message.kind !== 'call') continue
    const { asked, from } = message
    const [result, left] = kind.carry(way === 'behind' ? before : state, asked)
    yield* announce(object.call({ ...asked, result }))
    before = state
    if (way !== 'forgets' || ++count % 3 !== 0) state = way === 'behind' ? kind.carry(state, asked)[1] : left
    for (const other of others) yield* send(other, { kind: 'copy', state })
    yield* send(from, { kind: 'answer', result })
  }
}

function* use(plan: Plan, own: number) {
  const from = yield* self<Message>()
  const { server } = yield* receive<Extract<Message, { kind: 'begin' }>>('begin')
  let holds = false
  for (const next of plan.clients[own] ?? []) {
    const asked: Asked = holds ? { operation: 'release', args: [] } : next
    yield* send(server, { kind: 'call', asked, from })
    const { result } = yield* receive<Extract<Message, { kind: 'answer' }>>('answer')
    holds = asked.operation === 'tryAcquire' && result === true
  }
}

function programOf(plan: Plan, object: Specified): Program {
  const options = { network: 'fifo', deadlock: 'allow', properties: [refines(object)] } as const
  return program('served', options, function* () {
    const daemon = { daemon: true }
    const last = yield* spawn('last', daemon, () => serve(plan, object, []))
    const first = plan.way === 'replicas' ? yield* spawn('first', daemon, () => serve(plan, object, [last])) : last
    for (const own of plan.clients.keys()) {
      const client = yield* spawn(`client ${own}`, () => use(plan, own))
      yield* send(client as Address<Message>, { kind: 'begin', server: own === 0 ? first : last })
    }
  })
}

/** When clients ask and when they are answered, of one execution. */
function callsIn(events: readonly Event[]): readonly Call[] {
  const calls: Call[] = []
  for (const [moment, event] of events.entries()) {
    if (event.kind === 'send' && (event.value as { kind: string }).kind === 'call') {
      const { operation, args } = (event.value as unknown as { asked: Asked }).asked
      const result = { kind: 'pending' } as const
      calls.push({ process: event.process, operation, args, result, invoked: moment, returned: Infinity })
    }
    if (event.kind !== 'receive' || (event.value as { kind: string }).kind !== 'answer') continue
    const at = calls.findIndex(({ process, returned }) => process === event.process && returned === Infinity)
    const value = (event.value as { result: Value }).result
    calls[at] = { ...(calls[at] as Call), result: { kind: 'returned', value }, returned: moment }
  }
  return calls
}

function isAllowed(events: readonly Event[], { first, after }: AbstractObject): boolean {
  let state = first
  for (const event of events) {
    if (event.kind !== 'choose' || event.isCall !== true) continue
    const applied = after(state, event.value as AbstractCall)
    if ('refused' in applied) return false
    state = applied.state
  }
  return true
}

interface Judged {
  readonly isAllowed: boolean
  readonly isLinearizable: boolean
}

/** Of one execution of each class. */
function judged(plan: Plan, served: Program, object: AbstractObject): readonly Judged[] {
  const { runnable } = served.views
  if (runnable === undefined) throw new Error('a program can be run')
  const subject = runnable(settingFrom({ params: {}, network: 'fifo' }))
  const sequential = builtInSpecification(plan.kind.name) as Specification
  const found: Judged[] = []
  for (const event of dpor.explore(subject, usualSetting)) {
    if (event.kind !== 'execution') continue
    const { events } = replay(pathsOf(subject), event.decisions(), { places: false })
    const { linearizable } = orThrow(decideHistory({ calls: callsIn(events) }, sequential))
    found.push({ isAllowed: isAllowed(events, object), isLinearizable: linearizable })
  }
  return found
}

test.each(kinds)('$name: what refines at fixed points has an order', cut, async (kind) => {
  const object = specified(kind)
  const abstract = abstractObjectOf(object) as AbstractObject
  const bound = { ...abstract, after: abstract.after.bind(abstract) }
  const seen = { allowed: 0, withoutOrder: 0, inAnotherOrder: 0 }
  for (let seed = 0; seed < amount({ quick: 12, rest: 120, all: 2_000 }); seed++) {
    const plan = drawn(new Random(seed), kind)
    const served = programOf(plan, object)
    const each = judged(plan, served, bound)
    const told = `seed ${seed}: ${JSON.stringify(plan)}`
    for (const one of each) {
      if (one.isAllowed) expect(one, told).toMatchObject({ isLinearizable: true })
      if (plan.clients.length === 1) expect(one.isAllowed, told).toBe(one.isLinearizable)
      seen[one.isAllowed ? 'allowed' : one.isLinearizable ? 'inAnotherOrder' : 'withoutOrder']++
    }
    const { kind: verdict } = orThrow(await checkResult(served, { engine: 'dpor' }))
    if (verdict === 'verified')
      expect(
        each.filter(({ isLinearizable }) => !isLinearizable),
        told,
      ).toEqual([])
    if (each.some((one) => !one.isAllowed)) expect(verdict, told).toBe('violated')
  }
  expect(seen.allowed).toBeGreaterThan(atLeast(20))
  expect(seen.withoutOrder).toBeGreaterThan(atLeast(4))
  if (!isQuick) expect(seen.inAnotherOrder).toBeGreaterThan(0)
})
