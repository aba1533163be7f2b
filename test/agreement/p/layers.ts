/**
 * Executions and states of an IR program by how many steps they take, counted one by one over the reference semantics. A step is a move and all choices that
 * follow it until nobody is choosing. Executions are counted without going through them: those that meet in a state have the same future.
 */
import type { NetworkName } from '../../../src/core/operation.ts'
import { type Violation, violationKey } from '../../../src/core/property.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { type Configuration, machineText, messageKey, monitorText } from '../../../src/semantics/ir/configuration.ts'
import { endViolations } from '../../../src/semantics/ir/ending.ts'
import { firstConfiguration } from '../../../src/semantics/ir/first-configuration.ts'
import { type Move, movesIn, type Rules } from '../../../src/semantics/ir/moves.ts'
import { irRules } from '../../../src/semantics/ir/paths.ts'
import { afterMove } from '../../../src/semantics/ir/turn.ts'

/** Executions that have taken so many steps, without those in which something went wrong. */
export interface Layer {
  /** Each scheduling decision, and each choice between several options, makes another one. */
  readonly executions: bigint
  /** Those in which nothing more can happen. */
  readonly ended: bigint
  /** States that they are in, each once. */
  readonly states: number
  /** Those states that nobody was in after fewer steps. */
  readonly fresh: number
  readonly freshEnded: number
}

/** Where something goes wrong within the layers, and which violations that are. */
export type Sites = ReadonlyMap<string, ReadonlySet<string>>

export interface Layers {
  readonly layers: readonly Layer[]
  /** Whether all executions end within the steps that were asked for. */
  readonly isWhole: boolean
  /** Whether there were too many states at some depth. */
  readonly isCut: boolean
  readonly sites: Sites
}

export interface Bounds {
  readonly steps: number
  /** Of one layer. */
  readonly states: number
  /** Where one has more, there is no other layer; otherwise there is no answer. */
  readonly cuts?: boolean
}

/** All executions that go wrong at one place are one to the symbolic search. */
export function siteOf({ kind, place }: Violation): string {
  return kind === 'deadlock' ? kind : `${kind} ${place?.line}:${place?.column}`
}

interface Counted {
  readonly configuration: Configuration
  executions: bigint
}

/** Undefined: something goes wrong before the first step, or there are too many states. */
export function layersOf(ir: Ir, network: NetworkName, bounds: Bounds): Layers | undefined {
  const rules = irRules(ir, { network, bounds: {} })
  const first = firstConfiguration(rules).configuration
  if (first.violation !== undefined) return undefined
  const sites = new Map<string, Set<string>>()
  const seen = new Set<string>()
  const layers: Layer[] = []
  let now = new Map<string, Counted>([[keyOf(first, rules), { configuration: first, executions: 1n }]])
  while (now.size > 0) {
    const isLarge = now.size > bounds.states
    if (isLarge && bounds.cuts !== true) return undefined
    if (isLarge || layers.length === bounds.steps) return { layers, isWhole: false, isCut: isLarge, sites }
    const next = new Map<string, Counted>()
    layers.push(stepped(now, next, { rules, sites, seen }))
    now = next
  }
  return { layers, isWhole: true, isCut: false, sites }
}

interface Stepping {
  readonly rules: Rules
  readonly sites: Map<string, Set<string>>
  readonly seen: Set<string>
}

function stepped(now: ReadonlyMap<string, Counted>, next: Map<string, Counted>, stepping: Stepping): Layer {
  const { rules, sites, seen } = stepping
  let [executions, ended, fresh, freshEnded] = [0n, 0n, 0, 0]
  for (const [key, { configuration, executions: count }] of now) {
    const { moves } = movesIn(configuration, rules)
    const isFresh = !seen.has(key)
    seen.add(key)
    executions += count
    if (isFresh) fresh++
    if (moves.length === 0) {
      ended += count
      if (isFresh) freshEnded++
      for (const violation of endViolations(configuration, rules.code, false)) note(sites, violation)
    }
    for (const move of unlike(moves))
      for (const after of afterStep(configuration, move, rules)) {
        if (after.violation !== undefined) note(sites, after.violation)
        else add(next, keyOf(after, rules), after, count)
      }
  }
  return { executions, ended, states: now.size, fresh, freshEnded }
}

/** Messages that are alike are one, whichever of them arrives. */
function unlike(moves: readonly Move[]): Iterable<Move> {
  const found = new Map<string, Move>()
  for (const move of moves) {
    const message = 'message' in move && move.message !== undefined ? messageKey(move.message) : ''
    const key = `${move.kind} ${move.machine.ref.id} ${message}`
    if (!found.has(key)) found.set(key, move)
  }
  return found.values()
}

function note(sites: Map<string, Set<string>>, violation: Violation): void {
  const site = siteOf(violation)
  sites.set(site, (sites.get(site) ?? new Set()).add(violationKey(violation)))
}

function add(to: Map<string, Counted>, key: string, configuration: Configuration, executions: bigint): void {
  const known = to.get(key)
  if (known === undefined) to.set(key, { configuration, executions })
  else known.executions += executions
}

/** One for each way to choose. */
export function* afterStep(before: Configuration, move: Move, rules: Rules): Generator<Configuration> {
  const { configuration } = afterMove(before, move, rules)
  if (configuration.choosing === undefined) yield configuration
  else for (const choice of movesIn(configuration, rules).moves) yield* afterStep(configuration, choice, rules)
}

/** What monitors were like since the last decision tells no states apart, since nobody asks for it any more. */
export function keyOf(configuration: Configuration, { delivery }: Rules): string {
  const machines = [...configuration.machines.values()].map((machine) => `${machine.ref.id}:${machineText(machine)}`)
  const monitors = configuration.monitors.map((one) => monitorText({ ...one, wasHot: false, wasCold: false }))
  return JSON.stringify([machines.sort(), monitors, delivery.key(configuration)])
}
