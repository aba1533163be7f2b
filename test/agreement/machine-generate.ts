/**
 * Random systems of machines, small enough for naive search. Each has the core of something that protocols do (`idioms`) and
 * random deeds around it. Invariants are drawn last, from what the system really comes to, so that they are either broken
 * somewhere or just not: a sum that is reached or one more, values that are met together or only apart.
 */
import type { FaultBudget } from '../../src/core/faults.ts'
import type { NetworkName } from '../../src/core/operation.ts'
import { Random } from '../../src/core/random.ts'
import { searchGlobally } from './machine-oracle.ts'
import type { Deed, Field, InvariantPlan, MachinePlan, PlannedState, SystemPlan } from './machine-plan.ts'
import { broken, dataOf, referenceOf } from './machine-reference.ts'

export { generatedSystem } from './machine-plan.ts'

/** Which network and faults; what is not said is drawn. */
export interface NetworkPlan {
  readonly network?: NetworkName
  readonly losses?: FaultBudget['losses']
  readonly faults?: FaultBudget
}

/** The same seed gives the same plan, everywhere. */
export function generatedPlan(seed: number, network?: NetworkPlan): SystemPlan {
  const random = new Random(seed)
  const crashes = random.below(5) === 0 ? 1 : 0
  const drawn: FaultBudget = {
    losses: network?.losses ?? (random.below(2) === 0 ? 'any' : 0),
    duplicates: random.below(6) === 0 ? 1 : 0,
    crashes,
    restarts: crashes,
  }
  const name = network?.network ?? random.pick(['bag', 'fifo'] as const)
  const faults: Faults = { network: name, faults: network?.faults ?? drawn }
  for (;;) {
    const plan = behaviour(random.split(), faults)
    const oracle = searchGlobally(referenceOf(plan), { mostStates: mostStates(faults) })
    const { cut, globalStates, systemStates, localStates } = oracle
    if (cut || globalStates < fewestStates || localStates.filter(({ size }) => size > 1).length < 2) continue
    const states = [...systemStates.values()].map((each) => each.map(dataOf))
    return { ...plan, invariants: invariantsFor(random, states) }
  }
}

type Faults = Pick<SystemPlan, 'network' | 'faults'>

/** Systems with fewer states are drawn again, and those with more: the freer the network, the more orders dpor has to go through. */
const fewestStates = 8

function mostStates({ network, faults: { losses = 0, duplicates = 0 } }: Faults): number {
  if (network === 'bag') return duplicates > 0 ? 18 : 60
  if (duplicates > 0) return 60
  return losses === 0 ? 160 : 100
}

function behaviour(random: Random, faults: Faults): SystemPlan {
  const size = random.below(4) === 0 ? 3 : 2
  const drafts = Array.from({ length: size }, (_, machine) => draft(machine))
  random.pick(idioms)(drafts, random)
  for (let extra = random.below(4); extra > 0; extra--) addDeed(random, drafts)
  if (random.below(6) === 0) random.pick(drafts).on[random.below(3)] = undefined
  if (random.below(8) === 0) random.pick(drafts).others = random.below(2) === 0 ? [] : [{ kind: 'add' }]
  if ((faults.faults.restarts ?? 0) > 0) {
    for (const one of drafts) one.durable = random.pick(durables)
    if (random.below(2) === 0) waitForCrash(random.pick(drafts))
  }
  return { ...faults, machines: drafts, invariants: [] }
}

/** A timer that is not set at the beginning, and so not when the machine comes back. */
function waitForCrash(one: Draft): void {
  one.requests = Math.max(1, one.requests)
  one.request.push({ kind: 'timer', on: true })
  one.timer.push({ kind: 'add' })
}

const durables: readonly (readonly Field[])[] = [[], ['value'], ['seen'], ['value', 'seen'], ['notes']]

interface Draft extends MachinePlan {
  readonly machine: number
  readonly on: (Deed[] | undefined)[]
  others: Deed[] | undefined
  readonly timer: Deed[]
  readonly request: Deed[]
  readonly start: Deed[]
  requests: number
  durable: readonly Field[]
}

function draft(machine: number): Draft {
  const on = [[], [], []]
  return { machine, on, others: undefined, timer: [], request: [], start: [], requests: 0, durable: [] }
}

type Idiom = (drafts: readonly Draft[], random: Random) => void

const idioms: readonly Idiom[] = [counting, ballots, inOrder, toItself, retrying, voting, beginning, anything]

/** Equal messages, and a receiver that counts them. */
function counting([first, second]: readonly Draft[], random: Random): void {
  const copies = 1 + random.below(3)
  for (let copy = 0; copy < copies; copy++) first?.request.push({ kind: 'send', to: 1, message: 0 })
  if (first !== undefined) first.requests = copies > 1 ? 1 : 2
  second?.on[0]?.push({ kind: 'add' })
  if (random.below(2) === 0) second?.on[0]?.push({ kind: 'reply', message: 1 })
  first?.on[1]?.push({ kind: random.pick(['add', 'note']) })
}

/** Each takes a number above all that it has seen, and tells the others. */
function ballots([first, second, third]: readonly Draft[], random: Random): void {
  for (const one of [first, second]) {
    const to = one === first ? 1 : 0
    one?.request.push({ kind: 'exceed' }, { kind: 'tell', to, message: 0 })
    if (one !== undefined) one.requests = 1
    one?.on[0]?.push({ kind: 'raise' })
    if (random.below(2) === 0) one?.on[0]?.push({ kind: 'when', field: 'seen', is: 2, deed: { kind: 'add' } })
  }
  if (third !== undefined) second?.request.push({ kind: 'tell', to: 2, message: 0 })
  third?.on[0]?.push({ kind: 'raise' }, { kind: 'add' })
}

/** Two messages to one machine, where it matters which comes first. */
function inOrder([first, second]: readonly Draft[], random: Random): void {
  const messages = random.pick([
    [0, 1],
    [0, 1, 0],
    [1, 0, 1],
  ])
  for (const message of messages) first?.request.push({ kind: 'send', to: 1, message })
  if (first !== undefined) first.requests = 1
  second?.on[0]?.push({ kind: 'set', value: 1 + random.below(2) })
  second?.on[1]?.push({ kind: random.pick(['add', 'note']) })
  second?.on[1]?.push({ kind: 'when', field: 'value', is: 1, deed: { kind: 'reply', message: 2 } })
  first?.on[2]?.push({ kind: 'add' })
}

function toItself([first, second]: readonly Draft[], random: Random): void {
  first?.request.push({ kind: 'send', to: 0, message: 0 })
  if (first !== undefined) first.requests = 1 + random.below(2)
  first?.on[0]?.push({ kind: 'add' }, { kind: 'send', to: 1, message: 1 })
  second?.on[1]?.push({ kind: 'add' })
  if (random.below(2) === 0) second?.on[1]?.push({ kind: 'reply', message: 2 })
  first?.on[2]?.push({ kind: random.pick(['note', 'choose']) })
}

/** Sends again when it has waited for an answer. */
function retrying([first, second]: readonly Draft[], random: Random): void {
  first?.request.push({ kind: 'send', to: 1, message: 0 }, { kind: 'timer', on: true })
  if (first !== undefined) first.requests = 1
  first?.timer.push({ kind: 'send', to: 1, message: 0 })
  second?.on[0]?.push({ kind: 'add' }, { kind: 'reply', message: 1 })
  first?.on[1]?.push({ kind: 'timer', on: false }, { kind: random.pick(['add', 'note']) })
}

/** Asks all others, and goes on once enough have answered. */
function voting(drafts: readonly Draft[], random: Random): void {
  const [first, ...others] = drafts
  for (const { machine, on } of others) {
    first?.request.push({ kind: 'send', to: machine, message: 0 })
    on[0]?.push({ kind: 'reply', message: 1 })
    on[2]?.push({ kind: 'set', value: 1 + random.below(2) })
  }
  if (first !== undefined) first.requests = 1
  first?.on[1]?.push({ kind: 'add' })
  first?.on[1]?.push({ kind: 'when', field: 'value', is: others.length, deed: { kind: 'send', to: 1, message: 2 } })
}

/** Messages and timers from the beginning on. */
function beginning([first, second]: readonly Draft[], random: Random): void {
  first?.start.push({ kind: 'send', to: 1, message: 0 }, { kind: 'timer', on: true })
  if (random.below(2) === 0) first?.start.push({ kind: 'send', to: 1, message: 0 })
  first?.timer.push({ kind: 'add' }, { kind: 'send', to: 1, message: 1 })
  second?.on[0]?.push({ kind: random.pick(['add', 'choose']) })
  second?.on[1]?.push({ kind: 'set', value: random.below(3) }, { kind: 'reply', message: 2 })
}

function anything(drafts: readonly Draft[], random: Random): void {
  for (let count = 4 + random.below(4); count > 0; count--) addDeed(random, drafts)
}

/**
 * A random deed in a random place. Every execution ends: a message is answered with greater ones only, and timers, which send
 * all but the least, are set only by what the least brings about.
 */
function addDeed(random: Random, drafts: readonly Draft[]): void {
  const one = random.pick(drafts)
  const place = random.below(8)
  if (place < 5) {
    const message = Math.min(2, place)
    const deeds = one.on[message]
    deeds?.splice(
      random.below(deeds.length + 1),
      0,
      deed(random, drafts.length, { least: message + 1, timers: message === 0 }),
    )
  } else if (place === 5) {
    one.requests = Math.max(1, one.requests)
    one.request.push(deed(random, drafts.length, { least: 0, timers: true }))
  } else if (place === 6) {
    one.timer.push(deed(random, drafts.length, { least: 1, timers: false }))
    if (random.below(2) === 0) one.start.push({ kind: 'timer', on: true })
  } else {
    one.start.push({ kind: 'send', to: random.below(drafts.length), message: random.below(3) })
  }
}

interface Allowed {
  /** The least message it may send. */
  readonly least: number
  readonly timers: boolean
}

function deed(random: Random, size: number, allowed: Allowed): Deed {
  const message = Math.min(2, allowed.least + random.below(2))
  const isLast = allowed.least > 2
  switch (random.below(14)) {
    case 0:
    case 1:
      return isLast ? { kind: 'note' } : { kind: 'send', to: random.below(size), message }
    case 2:
      return isLast ? { kind: 'add' } : { kind: 'tell', to: random.below(size), message }
    case 3:
      return isLast ? { kind: 'raise' } : { kind: 'reply', message }
    case 4:
    case 5:
      return { kind: 'add' }
    case 6:
      return { kind: 'set', value: random.below(3) }
    case 7:
      return { kind: random.pick(['raise', 'exceed']) }
    case 8:
      return { kind: 'note' }
    case 9:
      return allowed.timers ? { kind: 'timer', on: random.below(3) > 0 } : { kind: 'add' }
    case 10:
      return { kind: 'choose' }
    case 11:
      return { kind: 'assert', below: 2 + random.below(3) }
    case 12:
      return { kind: 'when', field: 'value', is: 1 + random.below(3), deed: { kind: 'throw' } }
    default: {
      const field = random.pick(['value', 'seen'] as const)
      return { kind: 'when', field, is: random.below(3), deed: deed(random, size, allowed) }
    }
  }
}

/** One or two; half of the time all of them hold. */
function invariantsFor(random: Random, states: readonly (readonly PlannedState[])[]): readonly InvariantPlan[] {
  const isBroken = random.below(2) === 0
  const count = 1 + random.below(2)
  const found: InvariantPlan[] = []
  for (let attempt = 0; attempt < 40 && found.length < count; attempt++) {
    const candidate = invariantPlan(random, states)
    const breaks = states.some((each) => broken(candidate, 0, each) !== undefined)
    if (breaks === isBroken) found.push(candidate)
  }
  return found
}

function invariantPlan(random: Random, states: readonly (readonly PlannedState[])[]): InvariantPlan {
  const sums = states.map((each) => each.reduce((total, { value }) => total + value, 0))
  const values = states[0]?.map((_, machine) => random.pick(states)[machine]?.value ?? 0) ?? []
  switch (random.below(4)) {
    case 0:
      return { kind: 'sum', below: Math.max(...sums) + random.below(2) }
    case 1:
      return { kind: 'never', values }
    case 2:
      return { kind: 'clash', first: values[0] ?? 0, second: values[1] ?? 0 }
    default:
      return { kind: 'agree', field: random.pick(['value', 'seen'] as const), above: random.below(2) - 1 }
  }
}
