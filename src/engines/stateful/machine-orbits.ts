/**
 * States of a system up to the names of machines that play the same part: of all states that are renamings of each other one is kept, always the same, so
 * that they are explored once (Ip and Dill 1996; Clarke, Enders, Filkorn and Jha 1996). Machines of a set are put in the order of what can be
 * said of them without names; where that leaves two alike, their orders are tried, and the least state of all is kept. So an orbit has one state, and
 * not several, as where those that look alike stay as they are.
 *
 * Sound as far as machines do not mind, which is compared for all that is met (`alike-machines.ts`). A way through kept states is no execution:
 * `execution` undoes the renamings along it.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import type { Violation } from '../../core/property.ts'
import { atOnce, type Unhurried } from '../../core/unhurried.ts'
import type { AlikeSets, Happening } from '../../program/machines.ts'
import { AlikeInvariants } from '../../semantics/machines/alike-invariants.ts'
import { AlikeMachines } from '../../semantics/machines/alike-machines.ts'
import type { Channels } from '../../semantics/machines/channels/channels.ts'
import type { LocalGraph, LocalOutcome } from '../../semantics/machines/local-graph.ts'
import type { MachineRenaming, MachineRenamings } from '../../semantics/machines/machine-renaming.ts'
import { arrangements } from './arrangements.ts'

/** A state as it was met, or the one that is kept instead. */
interface Placed {
  readonly locals: readonly number[]
  readonly underWay: unknown
}

interface Settled extends Placed {
  /** From the state that was met to the one that is kept. */
  readonly renaming: number
  /** Equal for equal states and only for those. */
  readonly key: string
}

/** A step from a kept state, and the renaming that led to the next one. */
export interface KeptStep {
  readonly machine: number
  readonly event: number
  readonly choices: readonly number[]
  readonly renaming: number
}

interface Execution {
  readonly happenings: readonly Happening[]
  /** At its end. */
  readonly locals: readonly number[]
  /** Of the last step. */
  readonly violation: Violation | undefined
}

/** Orders of machines between two breaths: many only where machines stand in a ring or the like. */
const triedPerBreath = 64

interface Sets extends Pick<AlikeSets, 'sets'> {
  readonly orderedPlaces: ReadonlySet<string>
}

export class MachineOrbits {
  readonly alike: AlikeMachines
  readonly invariants: AlikeInvariants
  readonly #graph: LocalGraph
  readonly #channels: Channels
  readonly #sets: readonly (readonly number[])[]
  readonly #renamings: MachineRenamings
  /** Of a local state, or a message, and a machine that is looked at: equal if and only if they are renamings of each other. By machine, local state and machine. */
  readonly #localClasses: number[][][] = []
  readonly #messageClasses: number[][] = []
  #classes = 0

  constructor(graph: LocalGraph, channels: Channels, { sets, orderedPlaces }: Sets) {
    if (graph.machines.byzantine !== undefined) throw new DiagnosticError(besideLiars)
    this.#graph = graph
    this.#channels = channels
    this.#sets = sets
    const isRefining = (graph.machines.refines ?? []).length > 0
    this.alike = new AlikeMachines({ graph, channels, sets, orderedPlaces, isRefining })
    this.#renamings = this.alike.renamings
    const refuse = this.alike.refuseInvariant.bind(this.alike)
    this.invariants = new AlikeInvariants(graph, this.#renamings, refuse)
  }

  /** The state that is kept for this one and for all its renamings. */
  *settled(met: Placed): Unhurried<Settled> {
    const messages = [...this.#channels.messages(met.underWay)]
    const groups = this.#sets.flatMap((set) => this.#groups(set, met.locals, messages))
    // Nearly always: machines that nothing tells apart are met at the beginning of executions.
    if (groups.every((group) => group.length === 1))
      return this.#placed(met, this.#renamings.to(this.#toPlaces(groups.map(([machine]) => machine as number))))
    let kept: Settled | undefined
    let tried = 0
    for (const order of arrangements(groups.map((group) => this.#withoutRepetitions(group, met)))) {
      const state = this.#placed(met, this.#renamings.to(this.#toPlaces(order)))
      if (kept === undefined || state.key < kept.key) kept = state
      if (++tried % triedPerBreath === 0) yield
    }
    invariant(kept !== undefined, 'there is an order of machines')
    return kept
  }

  #placed(met: Placed, renaming: MachineRenaming): Settled {
    const state = renaming === this.#renamings.identity ? met : renamedBy(renaming, met, this.#channels)
    return { locals: state.locals, underWay: state.underWay, renaming: renaming.number, key: this.#key(state) }
  }

  /** The execution that a way through kept states stands for. */
  execution(
    first: readonly number[],
    { renaming, steps }: { readonly renaming: number; readonly steps: readonly KeptStep[] },
  ): Execution {
    const happenings: Happening[] = []
    let back = this.#renamings.back(this.#renamings.at(renaming))
    let kept = this.#renamings.at(renaming).locals(first)
    let locals = first
    for (const step of steps) {
      const outcome = chosen(this.#outcomes(kept, step), step.choices)
      const taken = { machine: back.machine(step.machine), event: back.event(step.event) }
      const among = this.#outcomes(locals, taken)
      const own = this.alike.renamedOutcome(step.machine, back, { outcome, among })
      invariant(own !== undefined, 'machines that were compared do the same up to names')
      happenings.push({ machine: taken.machine, event: this.#graph.eventAt(taken.event), choices: own.choices })
      if (own.violation !== undefined) return { happenings, locals, violation: own.violation }
      const after = this.#renamings.at(step.renaming)
      kept = after.locals(kept.with(step.machine, outcome.local))
      locals = locals.with(taken.machine, own.local)
      back = this.#renamings.after(this.#renamings.back(after), back)
    }
    return { happenings, locals, violation: undefined }
  }

  #outcomes(
    locals: readonly number[],
    { machine, event }: Pick<KeptStep, 'machine' | 'event'>,
  ): readonly LocalOutcome[] {
    return atOnce(this.#graph.outcomes(machine, locals[machine] as number, event))
  }

  /** Machines of a set in the order of what is said of them; those of whom the same is said together. */
  #groups(
    set: readonly number[],
    locals: readonly number[],
    messages: readonly number[],
  ): readonly (readonly number[])[] {
    const groups = new Map<number, number[]>()
    for (const machine of set) {
      const sum = this.#description(machine, locals, messages)
      const group = groups.get(sum)
      if (group === undefined) groups.set(sum, [machine])
      else group.push(machine)
    }
    if (groups.size === 1) return [...groups.values()]
    return [...groups.keys()].sort((left, right) => left - right).map((sum) => groups.get(sum) as number[])
  }

  /** What is said of a machine, in no order, as a sum: two of whom different things are said may have the same, which costs no more than time. */
  #description(machine: number, locals: readonly number[], messages: readonly number[]): number {
    let sum = 0
    for (const message of messages) sum += scattered(this.#messageClass(message, machine))
    for (let other = 0; other < locals.length; other++)
      sum += scattered(this.#localClass(other, locals[other] as number, machine))
    return sum
  }

  #localClass(machine: number, local: number, looked: number): number {
    const known = this.#classesOf(machine, local)[looked]
    if (known !== undefined) return known
    const number = this.#classes++
    const met = [{ machine, local, looked }]
    for (const one of met) {
      const classes = this.#classesOf(one.machine, one.local)
      if (classes[one.looked] !== undefined) continue
      classes[one.looked] = number
      for (const by of this.#renamings.generators)
        met.push({
          machine: by.machine(one.machine),
          local: by.local(one.machine, one.local),
          looked: by.machine(one.looked),
        })
    }
    return number
  }

  #classesOf(machine: number, local: number): number[] {
    const byLocal = this.#localClasses[machine] ?? []
    this.#localClasses[machine] = byLocal
    const classes = byLocal[local] ?? []
    byLocal[local] = classes
    return classes
  }

  #messageClass(message: number, looked: number): number {
    const known = this.#messageClasses[message]?.[looked]
    if (known !== undefined) return known
    const number = this.#classes++
    const met = [{ message, looked }]
    for (const one of met) {
      const classes = this.#messageClasses[one.message] ?? []
      this.#messageClasses[one.message] = classes
      if (classes[one.looked] !== undefined) continue
      classes[one.looked] = number
      for (const by of this.#renamings.generators)
        met.push({ message: by.message(one.message), looked: by.machine(one.looked) })
    }
    return number
  }

  /** Machines that can change places in a state without changing it: their order makes no difference. */
  #withoutRepetitions(group: readonly number[], met: Placed): readonly (readonly number[])[] {
    if (group.length === 1) return [group]
    const key = this.#key(met)
    const kinds: number[][] = []
    for (const machine of group) {
      const kind = kinds.find(([other = machine]) => {
        const to = this.#renamings.identity.to.with(machine, other).with(other, machine)
        return this.#key(renamedBy(this.#renamings.to(to), met, this.#channels)) === key
      })
      if (kind === undefined) kinds.push([machine])
      else kind.push(machine)
    }
    return kinds
  }

  /** The first of a set takes the first place of the set. */
  #toPlaces(order: readonly number[]): readonly number[] {
    const to = [...this.#renamings.identity.to]
    let at = 0
    for (const set of this.#sets) for (const place of set) to[order[at++] as number] = place
    return to
  }

  #key({ locals, underWay }: Placed): string {
    return `${locals.join()}|${this.#channels.key(underWay)}`
  }
}

function renamedBy(renaming: MachineRenaming, { locals, underWay }: Placed, channels: Channels): Placed {
  return { locals: renaming.locals(locals), underWay: channels.renamed(underWay, renaming) }
}

/** Below 2³², so that sums of thousands are exact. */
function scattered(number: number): number {
  const mixed = Math.imul(number ^ (number >>> 16), 0x45d9f3b)
  return (Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) ^ number) >>> 0
}

function chosen(outcomes: readonly LocalOutcome[], choices: readonly number[]): LocalOutcome {
  const found = outcomes.find((one) => one.choices.join() === choices.join())
  invariant(found !== undefined, 'a step that was taken has an outcome')
  return found
}

const besideLiars = {
  code: 'E107',
  message: 'machines cannot change places in a system with Byzantine ones, which say to each what they like',
  hint: 'leave out --symmetry',
} as const
