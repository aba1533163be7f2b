/**
 * Machines that are said to play the same part, and whether they do: where two of them change places, every handler that runs has to do the same with
 * the names changed. That is not tried in samples: what a handler does depends on a local state and an event alone, so it is compared for each such pair
 * that a search meets and for all that come of it by renaming. With that, a state and one in which machines have changed places have the same
 * futures, up to names (a bisimulation; Clarke, Enders, Filkorn and Jha 1996, Ip and Dill 1996).
 *
 * Where names stand in values makes no difference to that: whatever `renamed-value.ts` takes for a name, what handlers do has to agree with it.
 */

import type { Unhurried } from '../../core/unhurried.ts'
import { encodeInOrder } from '../../core/value.ts'
import type { SystemInvariant } from '../../program/machines.ts'
import type { Said } from './alike-invariants.ts'
import { type Channels, performed } from './channels/channels.ts'
import type { LocalGraph, LocalOutcome } from './local-graph.ts'
import { type MachineRenaming, MachineRenamings } from './machine-renaming.ts'
import { refuseMistakes } from './mistakes.ts'
import { ToldApart } from './told-apart.ts'

/** An event of a machine in one of its local states. */
interface Pair {
  readonly machine: number
  readonly local: number
  readonly event: number
}

interface Compared {
  readonly graph: LocalGraph
  readonly channels: Channels
  readonly sets: readonly (readonly number[])[]
  /** Places at which names stand in an order that matters. */
  readonly orderedPlaces: ReadonlySet<string>
  /** Whether what is announced is part of states, in which names are not changed. */
  readonly isRefining: boolean
}

/** What a search begins with. */
interface Beginning {
  readonly locals: readonly number[]
  readonly underWay: unknown
}

export class AlikeMachines {
  readonly renamings: MachineRenamings
  readonly #graph: LocalGraph
  readonly #channels: Channels
  readonly #isRefining: boolean
  readonly #toldApart: ToldApart
  /** By machine and local state: events that were compared. */
  readonly #compared: (Set<number> | undefined)[][] = []
  /** By machine and local state: whether its own events were compared. */
  readonly #own: boolean[][] = []

  constructor({ graph, channels, sets, orderedPlaces, isRefining }: Compared) {
    this.#graph = graph
    this.#channels = channels
    this.#isRefining = isRefining
    this.renamings = new MachineRenamings(graph, sets, orderedPlaces)
    this.#toldApart = new ToldApart(graph, sets)
  }

  /** The beginning is one of its kind: otherwise no two states of an execution would ever be the same up to names. */
  refuseBeginning({ locals, underWay }: Beginning): void {
    for (const renaming of this.renamings.generators) {
      for (const [machine, local] of locals.entries()) {
        const [to, renamed] = [renaming.machine(machine), renaming.local(machine, local)]
        if (locals[to] !== renamed) this.#toldApart.atBeginning(renaming, to, [renamed, locals[to] as number])
      }
      const after = this.#channels.renamed(underWay, renaming)
      if (this.#channels.key(after) !== this.#channels.key(underWay)) this.#toldApart.bySending(renaming)
    }
  }

  /** That all that comes of an event is the same for machines that have changed places, however they have. */
  *compare(machine: number, local: number, event: number): Unhurried<void> {
    if (!this.#isNew({ machine, local, event })) return
    const pairs: Pair[] = [{ machine, local, event }]
    for (const pair of pairs) {
      const outcomes = yield* this.#graph.outcomes(pair.machine, pair.local, pair.event)
      for (const renaming of this.renamings.generators) {
        const image = {
          machine: renaming.machine(pair.machine),
          local: renaming.local(pair.machine, pair.local),
          event: renaming.event(pair.event),
        }
        const others = yield* this.#graph.outcomes(image.machine, image.local, image.event)
        yield
        if (!this.#agree(pair.machine, renaming, outcomes, others)) this.#refuse(pair, renaming, outcomes, others)
        if (this.#isNew(image)) pairs.push(image)
      }
    }
  }

  /** That machines in the same local state, up to names, have the same timers and requests. */
  compareOwn(machine: number, local: number): void {
    if (this.#isOwnKnown(machine, local)) return
    const met = [{ machine, local }]
    for (const one of met) {
      const events = this.#graph.internal(one.machine, one.local)
      for (const renaming of this.renamings.generators) {
        const image = { machine: renaming.machine(one.machine), local: renaming.local(one.machine, one.local) }
        const others = this.#graph.internal(image.machine, image.local)
        const renamed = events.map((event) => renaming.event(event))
        if (renamed.toSorted(byNumber).join() !== others.toSorted(byNumber).join())
          this.#toldApart.byOwnEvents(renaming, [one.machine, events], [image.machine, others])
        if (!this.#isOwnKnown(image.machine, image.local)) met.push(image)
      }
    }
  }

  /** An outcome of the renamed event that is the renamed outcome. */
  renamedOutcome(
    machine: number,
    renaming: MachineRenaming,
    { outcome, among }: { readonly outcome: LocalOutcome; readonly among: readonly LocalOutcome[] },
  ): LocalOutcome | undefined {
    const expected = this.#text(machine, outcome, renaming)
    return among.find((one) => this.#text(renaming.machine(machine), one) === expected)
  }

  refuseInvariant(
    renaming: MachineRenaming,
    invariant: SystemInvariant,
    said: { readonly before: Said; readonly instead: Said },
  ): never {
    return this.#toldApart.byInvariant(renaming, invariant, said)
  }

  #isNew({ machine, local, event }: Pair): boolean {
    const byLocal = this.#compared[machine] ?? []
    this.#compared[machine] = byLocal
    const known = byLocal[local] ?? new Set()
    byLocal[local] = known
    if (known.has(event)) return false
    known.add(event)
    return true
  }

  #isOwnKnown(machine: number, local: number): boolean {
    const known = this.#own[machine] ?? []
    this.#own[machine] = known
    if (known[local] === true) return true
    known[local] = true
    return false
  }

  #agree(
    machine: number,
    renaming: MachineRenaming,
    outcomes: readonly LocalOutcome[],
    others: readonly LocalOutcome[],
  ): boolean {
    if (outcomes.length !== others.length) return false
    const expected = outcomes.map((one) => this.#text(machine, one, renaming)).sort()
    const found = others.map((one) => this.#text(renaming.machine(machine), one)).sort()
    return expected.every((text, at) => text === found[at])
  }

  /** What comes of an event, as searches see it: of what is sent what the network makes of it. Of a failure only that it is one of its kind. */
  #text(machine: number, outcome: LocalOutcome, renaming?: MachineRenaming): string {
    const { local, acts, announced, created, violation } = outcome
    if (violation !== undefined) return `${violation.kind} ${this.#toldApart.withoutNames(violation.property)}`
    if (created.length > 0) this.#toldApart.refuseCreation(created[0]?.machine as number)
    const sent = performed(this.#channels, this.#channels.nothing, acts)
    if (renaming === undefined) return `${local}|${this.#channels.key(sent)}|${encodeInOrder(announced)}`
    const told = this.#isRefining ? announced : announced.map((event) => renaming.announced(event))
    const renamed = this.#channels.renamed(sent, renaming)
    return `${renaming.local(machine, local)}|${this.#channels.key(renamed)}|${encodeInOrder(told)}`
  }

  #refuse(
    pair: Pair,
    renaming: MachineRenaming,
    outcomes: readonly LocalOutcome[],
    others: readonly LocalOutcome[],
  ): never {
    const { machine } = pair
    const known = others.map((one) => this.#text(renaming.machine(machine), one))
    const expected = outcomes.map((one) => this.#text(machine, one, renaming))
    const missing = outcomes.find((_, at) => !known.includes(expected[at] as string))
    const instead = others.find((_, at) => !expected.includes(known[at] as string))
    // Names that are in no order would be: then they were no set, and all is different.
    for (const one of others) this.#text(renaming.machine(machine), one, renaming)
    // What is no handler at all tells nobody apart.
    for (const one of [missing, instead]) if (one?.violation !== undefined) refuseMistakes(one.violation)
    return this.#toldApart.byHandler({ ...pair, renaming, missing, instead })
  }
}

function byNumber(left: number, right: number): number {
  return left - right
}
