/**
 * Handlers that choose again and again. One that has no way to its end from where it chooses, whatever it chooses, goes on for ever, and nobody can interrupt
 * it: that is certain, and a violation (as `endless.ts` has it for handlers that do not choose). One that may come to its end may go on for ever all the same:
 * that is an execution without end like others, and no violation by itself.
 *
 * Whether there is a way follows from where a machine stands and what it holds, and from nothing that it sends, announces or creates on the way. An end is also a
 * pause in which others come, a `receive`, and whatever fails.
 */
import { type Diagnostic, DiagnosticError, type Place } from '../../core/diagnostic.ts'
import { grouped } from '../../core/grouped.ts'
import { Activity, type Outcome, type Surroundings } from './activity.ts'
import type { Code } from './code.ts'
import { type Frame, type MachineState, type Paused, pausedText } from './configuration.ts'
import { Failed, fail } from './failed.ts'
import { createdBy, sentBy } from './sent-and-created.ts'
import { type IrValue, keysOf } from './value.ts'
import { contentOf } from './value-extent.ts'

/** Choices that a machine makes in one turn: nobody waits for a handler that has made so many and chooses again. */
export const mostChoicesInTurn = 5000
/**
 * Choices in one turn, times what the machine holds then, as far as that may have come with them: one that grows with each choice takes room and time with the
 * square of their number.
 */
const mostGrowth = 1_000_000
/** Ways on that are gone to find an end, before none of them is taken to be certain, and what is held in all of them. */
const [mostTried, mostHeldTried] = [20_000, 500_000]
/** Places where a handler chooses, of which it is remembered what lies ahead, and the length of all their names. */
const [mostRemembered, mostLengthRemembered] = [100_000, 20_000_000]

/** A machine that chooses. */
export type ChoosingMachine = Pick<MachineState, 'ref' | 'state' | 'fields' | 'created'> & { readonly paused: Paused }

interface Met {
  readonly machine: ChoosingMachine
  readonly text: string
  readonly from: Met | undefined
}

export class ChoosingHandlers {
  readonly #code: Code
  readonly #interleaves: boolean
  readonly #blocks: number
  /** By place: whether there may be an end. */
  readonly #known = new Map<string, boolean>()
  /** Of all names of known places. */
  #length = 0

  constructor(code: Code, { interleaves, blocks }: { readonly interleaves: boolean; readonly blocks: number }) {
    this.#code = code
    this.#interleaves = interleaves
    this.#blocks = blocks
  }

  /**
   * To be called where a machine has come to choose for the so many-th time in its turn. Fails if its handler cannot end, and throws if it took too long. Most
   * handlers choose once, so nobody looks ahead from the first choice: where that has no end, the second one has none.
   */
  look(machine: ChoosingMachine, choices: number): void {
    if (choices < 2) return
    const { frame, waits } = machine.paused
    if (!this.#mayEnd(machine)) fail('endless handler', 'it goes on for ever, whatever it chooses', waits.place)
    if (choices <= mostChoicesInTurn && !hasGrownTooMuch(machine, choices)) return
    const { name = '' } = this.#code.ir.functions[frame.function] ?? {}
    throw new DiagnosticError(tooManyChoices(name, Math.min(choices, mostChoicesInTurn), waits.place))
  }

  #mayEnd(machine: ChoosingMachine): boolean {
    const text = choosingKey(machine)
    const known = this.#known.get(text)
    if (known !== undefined) return known
    this.#makeRoom()
    const met = new Map([[text, { machine, text, from: undefined } as Met]])
    const out = this.#wayOut(met)
    // On the way to an end there is one everywhere; where there is none, there is none anywhere.
    if (out === undefined) for (const each of met.keys()) this.#remember(each, false)
    else if (out === 'unknown') for (const each of met.keys()) this.#remember(each, true)
    else for (let at: Met | undefined = out; at !== undefined; at = at.from) this.#remember(at.text, true)
    return out !== undefined
  }

  #remember(text: string, mayEnd: boolean): void {
    this.#known.set(text, mayEnd)
    this.#length += text.length
  }

  #makeRoom(): void {
    if (this.#known.size <= mostRemembered && this.#length <= mostLengthRemembered) return
    this.#known.clear()
    this.#length = 0
  }

  /**
   * From where there is an end in one more choice. Alternately the last place on one way is left and the first one that was met: an end may be far away behind
   * many choices, and it may be near where one way goes on without end. What is met from the first ones is not on that way, which would not get far otherwise.
   */
  #wayOut(met: Map<string, Met>): Met | 'unknown' | undefined {
    const order = [...met.values()]
    const left = new Set<Met>()
    const last = [...order]
    for (let [first, tried, held] = [0, 0, 0]; ; ) {
      const isOnWay = tried % 2 === 0
      const one = isOnWay ? last.pop() : order[first++]
      if (one === undefined && first >= order.length && last.length === 0) return undefined
      tried++
      if (one === undefined || left.has(one)) continue
      left.add(one)
      const options = one.machine.paused.waits.kind === 'choose' ? one.machine.paused.waits.options.length : 0
      for (let option = options - 1; option >= 0; option--) {
        const next = this.#after(one.machine, option)
        if (next === undefined) return one
        const text = choosingKey(next)
        if (this.#known.get(text) === true) return one
        if (met.has(text)) continue
        const found = { machine: next, text, from: one }
        met.set(text, found)
        held += heldIn(next)
        order.push(found)
        if (isOnWay) last.push(found)
      }
      if (met.size > mostTried || held > mostHeldTried) return 'unknown'
    }
  }

  /** Where it chooses next; undefined: nowhere, or it takes too long to say. */
  #after(machine: ChoosingMachine, option: number): ChoosingMachine | undefined {
    const { ref, paused } = machine
    const run = new Unheard(machine, this.#code, { interleaves: this.#interleaves, blocks: this.#blocks })
    const activity = new Activity(this.#code, { machine: ref.machine, self: ref }, run).at(machine)
    if (paused.waits.kind !== 'choose') return undefined
    try {
      const outcome = activity.choose(paused.waits.options[option] ?? null)
      return isChoosing(outcome) ? choosingMachine({ ...machine, created: run.created }, activity, outcome) : undefined
    } catch (error) {
      if (error instanceof Failed || error instanceof DiagnosticError) return undefined
      throw error
    }
  }
}

function isChoosing(outcome: Outcome): outcome is Extract<Outcome, { readonly kind: 'choose' }> {
  return typeof outcome === 'object' && outcome.kind === 'choose'
}

/** As it is where its activity pauses to choose. */
export function choosingMachine(
  { ref, created }: Pick<MachineState, 'ref' | 'created'>,
  activity: Activity,
  outcome: Extract<Outcome, { readonly kind: 'choose' }>,
): ChoosingMachine {
  return { ref, created, state: activity.state, fields: activity.fields, paused: activity.paused(outcome) }
}

/** All that decides how it goes on. */
function choosingKey({ ref, state, fields, paused }: ChoosingMachine): string {
  return `${ref.id}|${state}|${keysOf(fields)}|${pausedText(paused)}`
}

function hasGrownTooMuch(machine: ChoosingMachine, choices: number): boolean {
  return choices * choices > mostGrowth && choices * Math.min(choices, heldIn(machine)) > mostGrowth
}

/** How much a machine holds in its fields and in the calls under way. */
function heldIn({ fields, paused }: ChoosingMachine): number {
  let held = contentsOf(fields)
  for (let one: Frame | undefined = paused.frame; one !== undefined; one = one.below) held += 1 + contentsOf(one.locals)
  return held
}

function contentsOf(values: readonly IrValue[]): number {
  let held = 0
  for (const value of values) held += contentOf(value)
  return held
}

function tooManyChoices(name: string, choices: number, place: Place): Diagnostic {
  return {
    code: 'E202',
    message: `${name} goes on after ${grouped(choices)} choices, and nobody knows whether it ends`,
    hint: 'bound its loop, or choose less where the program is checked',
    place,
  }
}

/** Nobody hears what it does. */
class Unheard implements Surroundings {
  readonly blocks: number
  readonly pausesBeforeNew: boolean
  readonly #ref: MachineState['ref']
  readonly #code: Code
  created: MachineState['created']

  constructor(
    { ref, created }: ChoosingMachine,
    code: Code,
    { interleaves, blocks }: { readonly interleaves: boolean; readonly blocks: number },
  ) {
    this.blocks = blocks
    this.pausesBeforeNew = interleaves
    this.#ref = ref
    this.#code = code
    this.created = created
  }

  send(step: Parameters<Surroundings['send']>[0], environment: Parameters<Surroundings['send']>[1]) {
    const { to, event, payload } = sentBy(this.#ref, step, environment, this.#code)
    return this.pausesBeforeNew ? ({ kind: 'send', to, event, payload, place: step.place } as const) : undefined
  }

  announce(): void {}

  create(step: Parameters<Surroundings['create']>[0]) {
    const { ref, created } = createdBy({ ref: this.#ref, created: this.created }, step, this.#code)
    this.created = created
    return ref
  }

  entered(): void {}
}
