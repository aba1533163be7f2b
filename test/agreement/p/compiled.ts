/**
 * Handlers as generated code and as the reference semantics has them, side by side: for every local state and every input that one program's machines
 * come to, whoever sends it, the same outcomes in the same order, with the same choices, effects and violations.
 */
import { HandlerTable } from '../../../src/engines/stateful/ir/handled.ts'
import { inputs, phases } from '../../../src/engines/stateful/ir/local-states.ts'
import type { Effect, Ending, Outcomes } from '../../../src/engines/stateful/ir/outcomes.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { machineText } from '../../../src/semantics/ir/configuration.ts'
import { firstConfiguration } from '../../../src/semantics/ir/first-configuration.ts'
import { type IrPathOptions, irRules } from '../../../src/semantics/ir/paths.ts'
import { keyOf } from '../../../src/semantics/ir/value.ts'
import type { Delivery } from './world.ts'

export interface HandlerTally {
  handled: number
  outcomes: number
  violations: number
  /** Runs that generated code did not cover. */
  byReference: number
  /** Runs that were told by what handlers look at. */
  remembered: number
}

export function newHandlerTally(): HandlerTally {
  return { handled: 0, outcomes: 0, violations: 0, byReference: 0, remembered: 0 }
}

interface Compared extends IrPathOptions {
  readonly network: Delivery
  /** Pairs of a local state and an input. */
  readonly most: number
  readonly tally: HandlerTally
}

/** What differs, in words; undefined: nothing. */
export function handlerDisagreement(ir: Ir, { network, most, tally, ...own }: Compared): string | undefined {
  const rules = irRules(ir, { network, bounds: {} }, own)
  // What handlers look at is remembered from their first runs on.
  const [generated, reference] = [
    new HandlerTable(rules, { runsBefore: 1 }),
    new HandlerTable(rules, { generates: false }),
  ]
  const met = new Met(generated)
  const told: (readonly [Outcomes, string])[] = []
  for (const machine of firstConfiguration(rules).configuration.machines.values()) met.local(generated.localOf(machine))
  for (let at = 0; at < met.pairs.length && at < most; at++) {
    const { local, input } = met.pairs[at] as Pair
    const found = generated.handled(local, input)
    const expected = reference.handled(reference.localOf(generated.local(local)), inputIn(reference, generated, input))
    const [one, other] = [shown(found, generated), shown(expected, reference)]
    if (one !== other) return `local state ${local}, input ${input}: generated\n${one}\nreference\n${other}`
    told.push([found, one])
    tally.handled++
    tally.outcomes += found.size
    for (const [at, local] of found.locals.entries()) met.outcome(local, found.endings[at] as Ending)
    tally.violations += found.endings.filter(({ violation }) => violation !== undefined).length
  }
  // What was told is not touched by later runs.
  for (const [found, before] of told) if (shown(found, generated) !== before) return `told before\n${before}`
  tally.byReference += generated.referenceRuns
  tally.remembered += generated.rememberedRuns
  return undefined
}

interface Pair {
  readonly local: number
  readonly input: number
}

/** Local states and inputs by machine; each meets each. */
class Met {
  readonly pairs: Pair[] = []
  readonly #table: HandlerTable
  readonly #locals = new Map<number, Set<number>>()
  readonly #messages = new Map<number, Set<number>>()

  constructor(table: HandlerTable) {
    this.#table = table
  }

  local(local: number): void {
    const phase = this.#table.phase(local)
    if (phase === phases.none || phase === phases.halted) return
    const slot = this.#table.slotOf(this.#table.local(local).ref)
    if (isKnown(this.#locals, slot, local)) return
    if (phase === phases.created) this.pairs.push({ local, input: inputs.begin })
    if (phase === phases.busy) this.pairs.push({ local, input: inputs.inbox })
    if (phase === phases.restless) this.pairs.push({ local, input: inputs.nothing })
    if (phase === phases.interrupted) this.pairs.push({ local, input: inputs.goOn })
    if (phase !== phases.idle && phase !== phases.restless) return
    for (const input of this.#messages.get(slot) ?? []) this.pairs.push({ local, input })
  }

  outcome(local: number, { effects, violation }: Ending): void {
    if (violation === undefined) this.local(local)
    for (const effect of effects) {
      if (effect.kind === 'create') this.local(effect.local)
      if (effect.kind === 'send') this.#message(this.#table.targetOf(effect.entry), this.#table.inputOf(effect.entry))
    }
  }

  #message(slot: number, input: number): void {
    if (isKnown(this.#messages, slot, input)) return
    for (const local of this.#locals.get(slot) ?? []) {
      const phase = this.#table.phase(local)
      if (phase === phases.idle || phase === phases.restless) this.pairs.push({ local, input })
    }
  }
}

function isKnown(sets: Map<number, Set<number>>, slot: number, number: number): boolean {
  const set = sets.get(slot) ?? new Set()
  sets.set(slot, set)
  if (set.has(number)) return true
  set.add(number)
  return false
}

/** The same input in another table. */
function inputIn(table: HandlerTable, from: HandlerTable, input: number): number {
  const message = from.message(input)
  const [ref] = from.refs
  if (message === undefined || ref === undefined) return input
  return table.inputOf(table.sends(ref, message.event as number, message.payload))
}

function shown({ locals, endings }: Outcomes, table: HandlerTable): string {
  return endings
    .map(({ choices, fair, effects, violation, isHalted }, at) => {
      const local = locals[at] as number
      const parts = [localText(local, table), `${isHalted}`, ...effects.map((effect) => effectText(effect, table))]
      return `[${choices}] ${JSON.stringify(fair)} ${parts.join('; ')} ${JSON.stringify(violation ?? '')}`
    })
    .join('\n')
}

function localText(local: number, table: HandlerTable): string {
  if (local === 0) return 'nobody'
  const machine = table.local(local)
  return `${machine.ref.process} ${table.phase(local)} ${machineText(machine)}`
}

function effectText(effect: Effect, table: HandlerTable): string {
  if (effect.kind === 'tell') {
    const { by, event, payload } = table.observation(effect.observation)
    return `${by} tells ${event}(${keyOf(payload)})`
  }
  const target = table.refs[table.targetOf(effect.entry)]?.process
  if (effect.kind === 'create') return `creates ${target} as ${localText(effect.local, table)}`
  const { event, payload } = table.message(table.inputOf(effect.entry)) ?? { event: undefined, payload: null }
  return `sends ${event}(${keyOf(payload)}) to ${target}`
}
