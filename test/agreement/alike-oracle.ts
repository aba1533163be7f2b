/**
 * All states of a system of machines, on a bag or in fifo order, and how many of them there are up to names: states are texts, names are renamed in
 * the texts, and of all renamings the least text counts. Nothing of the search is used, but the handlers.
 */
import { permutations } from '../../src/collections/permutations.ts'
import { encodeInOrder, type Value } from '../../src/core/value.ts'
import type { Envelope, LocalState, MachineEvent, Machines } from '../../src/program/machines.ts'
import type { AlikePlan, Kept } from './alike-plan.ts'

interface State {
  readonly locals: readonly LocalState[]
  /** In sending order. */
  readonly underWay: readonly Envelope[]
}

export interface Counted {
  readonly states: number
  readonly orbits: number
  /** Kinds of what went wrong. */
  readonly violated: ReadonlySet<string>
}

/** Nothing if there are more states than `most`. */
export function countedUpToNames(
  machines: Machines,
  { sets, isSorted }: Pick<AlikePlan, 'sets' | 'isSorted'>,
  most: number,
): Counted | undefined {
  const renamings = renamingsOf(sets)
  const first = { locals: machines.start.states, underWay: machines.start.underWay }
  const known = new Map([[textOf(machines, first, asTheyAre), first]])
  const orbits = new Set<string>()
  const violated = new Set<string>()
  for (const state of known.values()) {
    if (known.size > most) return undefined
    orbits.add(renamings.map((names) => textOf(machines, state, { names, isSorted })).sort()[0] as string)
    for (const { name, violation } of machines.invariants)
      if (violation(state.locals) !== undefined) violated.add(`invariant ${name}`)
    for (const { machine, event, underWay } of eventsIn(machines, state))
      for (const outcome of machines.handle(machine, state.locals[machine] as LocalState, event)) {
        if (outcome.violation !== undefined) {
          violated.add(outcome.violation.kind)
          continue
        }
        const after = { locals: state.locals.with(machine, outcome.state), underWay: [...underWay, ...outcome.sent] }
        const text = textOf(machines, after, asTheyAre)
        if (!known.has(text)) known.set(text, after)
      }
  }
  return { states: known.size, orbits: orbits.size, violated }
}

type Names = ReadonlyMap<string, string>

function renamingsOf(sets: readonly (readonly string[])[]): readonly Names[] {
  return sets.reduce<readonly Names[]>(
    (before, set) =>
      before.flatMap((names) =>
        [...permutations(set)].map(
          (order) => new Map([...names, ...set.map((name, at) => [name, order[at] as string] as const)]),
        ),
      ),
    [new Map()],
  )
}

interface Renamed {
  readonly names: Names
  readonly isSorted: boolean
}

const asTheyAre: Renamed = { names: new Map(), isSorted: false }

/** Of a state of the plans: what is sorted is sorted again. */
function dataOf(data: Kept, { names, isSorted }: Renamed): Value {
  const one = (name: string) => names.get(name) ?? name
  const all = (list: readonly string[]) => (isSorted ? list.map(one).sort() : list.map(one))
  const counts = Object.entries(data.counts).map(([name, count]) => [one(name), count] as const)
  if (isSorted) counts.sort(([left], [right]) => (left < right ? -1 : 1))
  const kept = data.kept === undefined ? undefined : one(data.kept)
  return [data.value, kept, all(data.list), all([...data.collected]), counts]
}

function textOf({ machines, network }: Machines, { locals, underWay }: State, by: Renamed): string {
  const { names } = by
  const renamed = (text: string) => text.replace(/"([a-z]\d)"/g, (_, name: string) => `"${names.get(name) ?? name}"`)
  const own = locals.map(({ data, timers, requests, crashes }, at) => {
    const name = machines[at] as string
    return `${names.get(name) ?? name}: ${encodeInOrder(dataOf(data as unknown as Kept, by))} ${timers} ${requests} ${crashes}`
  })
  const texts = underWay.map(({ from, to, message }) => {
    const channel = `${names.get(from) ?? from}>${names.get(to) ?? to}`
    return { channel, text: renamed(encodeInOrder(message)) }
  })
  if (network === 'bag')
    return [...own.sort(), ...texts.map(({ channel, text }) => `${channel}${text}`).sort()].join('\n')
  const queues = new Map<string, string[]>()
  for (const { channel, text } of texts) queues.set(channel, [...(queues.get(channel) ?? []), text])
  return [...own.sort(), ...[...queues].map(([channel, all]) => `${channel}${all}`).sort()].join('\n')
}

interface Happens {
  readonly machine: number
  readonly event: MachineEvent
  readonly underWay: readonly Envelope[]
}

function* eventsIn(machines: Machines, { locals, underWay }: State): Generator<Happens> {
  const { network, faults } = machines
  const crashes = locals.reduce((sum, one) => sum + one.crashes, 0)
  for (const [machine, local] of locals.entries())
    for (const event of machines.internal(machine, local))
      if (event.kind !== 'crash' || crashes < (faults.restarts ?? 0)) yield { machine, event, underWay }
  for (const [at, { from, to, message }] of underWay.entries()) {
    const isBefore = (one: Envelope, place: number) => place < at && one.from === from && one.to === to
    const before = network === 'fifo' ? underWay.filter(isBefore) : []
    // Those before it are lost; what a machine sends to itself never is.
    if (before.length > 0 && (faults.losses !== 'any' || from === to)) continue
    const left = underWay.filter((one, place) => place !== at && !before.includes(one))
    yield { machine: machines.machines.indexOf(to), event: { kind: 'message', from, message }, underWay: left }
  }
}
