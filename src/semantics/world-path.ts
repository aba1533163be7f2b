/**
 * Paths of processes: a `World` and the decisions that led to it. Processes cannot be copied or run backwards, so `back` forgets
 * the world, and the next question runs what is left of the decisions in a new one: going back ten steps costs one run.
 */
import { DiagnosticError } from '../core/diagnostic.ts'
import type { Event } from '../core/event.ts'
import { invariant } from '../core/invariant.ts'
import type { PartialOrder } from '../core/partial-order.ts'
import { type Ending, type PropertyKind, seeing, type Violation } from '../core/property.ts'
import type { Decision } from '../core/trace.ts'
import type { Value } from '../core/value.ts'
import { type Difference, notRepeatable, type Path, type PathOptions, type Paths, type Shown } from '../program/path.ts'
import type { Runnable } from '../program/program.ts'
import { callOf } from '../program/refinement.ts'
import type { Watch } from '../program/watch.ts'
import { drawnWith } from './beside.ts'
import { partialOrderOf } from './partial-order.ts'
import { conflictingCalls } from './refinement/conflicting-calls.ts'
import { Ghost } from './refinement/ghost.ts'
import { restartDifference } from './restart.ts'
import { walksOf } from './walk/walk.ts'
import { firstWatched, type Watched, watchedAfter, watchedStates, watchedText } from './watching.ts'
import { World } from './world.ts'
import { dutiesDoneBy, worldDuties } from './world-duties.ts'
import { worldKey } from './world-key.ts'

/** Steps that are taken again at a time: each may take milliseconds. */
const pauseEvery = 16
/** In place of the decision after which something was announced. */
const beforeAll = -1

export function pathsOf(subject: Runnable): Paths {
  const paths: Paths = {
    isExclusive: false,
    judges: judgedKinds(subject),
    cycles: seeing(subject.properties, 'cycle'),
    judgesOrders: seeing(subject.properties, 'order').length > 0,
    begin: (options = {}) => new WorldPath(withOptions(subject, options), options),
    walks: () => walksOf(subject, paths),
    drawn: subject.beside === undefined || subject.beside.length === 0 ? undefined : drawnWith(subject.beside),
  }
  return paths
}

function judgedKinds({ properties, monitors, refines = [] }: Runnable): readonly PropertyKind[] {
  const watched = monitors.length > 0 ? ['monitor' as const] : []
  const refined = refines.length > 0 ? ['refinement' as const] : []
  return [
    ...new Set<PropertyKind>(['assertion', 'exception', ...watched, ...refined, ...properties.map(({ kind }) => kind)]),
  ]
}

function withOptions(subject: Runnable, { decisions = 0, judgesStates = true }: PathOptions): Runnable {
  const isLongEnough = subject.boundedByUser || decisions < subject.maxSteps
  if (isLongEnough && judgesStates) return subject
  return {
    ...subject,
    // No process performs more operations than there are decisions; a bound of the user's is part of the program.
    maxSteps: isLongEnough ? subject.maxSteps : decisions + 1,
    properties: judgesStates ? subject.properties : subject.properties.filter(({ sees }) => sees !== 'state'),
  }
}

class WorldPath implements Path {
  readonly #subject: Runnable
  readonly #watches: readonly Watch[]
  /** What was announced since the last decision. */
  readonly #heard: Value[] = []
  /** Where it was announced, when places are captured. */
  readonly #heardAt: (string | undefined)[] = []
  /** Of the current world. */
  #watched: Watched
  readonly #isRefining: boolean
  /** Those who judge one order for another ask for what is announced, and not whether objects allow it in this one. */
  readonly #ghosts: Ghost | undefined
  /** What objects are whose operations were announced, in the current world. */
  #ghost = 0
  /** What was announced so far, and after which decision. */
  #announced: { readonly at: number; readonly event: Value }[] = []
  readonly #beginsBackwards: boolean | undefined
  readonly #decisions: Decision[] = []
  /** Where the decisions lead, if somebody has asked since the last `back`. */
  #world: World | undefined
  /** Of the current world. */
  #enabled: readonly Decision[] | undefined
  #violations: readonly Violation[] | undefined

  constructor(subject: Runnable, { beginsBackwards, judgesStates = true }: PathOptions) {
    const { watches = [], refines = [], called = [], witness } = subject
    const overhears = (event: Value, stack?: string): void => {
      this.#heard.push(event)
      this.#heardAt.push(stack)
    }
    this.#subject = watches.length + refines.length === 0 ? subject : { ...subject, overhears }
    this.#isRefining = refines.length > 0
    this.#ghosts = this.#isRefining && judgesStates ? new Ghost(refines, witness, called) : undefined
    this.#watches = watches
    this.#watched = firstWatched(watches)
    this.#beginsBackwards = beginsBackwards
  }

  enabled(): readonly Decision[] {
    this.#enabled ??= this.#now().moves()
    return this.#enabled
  }

  faults(): readonly Decision[] {
    return this.#now().faults()
  }

  allows(decision: Decision): boolean {
    return this.#now().allows(decision)
  }

  take(decision: Decision): readonly Event[] {
    const world = this.#now()
    // A process may turn out to be wrong in the middle of a step: that world is of no use any more.
    this.#leave()
    const before = world.events.length
    this.#takeIn(world, decision, this.#decisions.length)
    this.#decisions.push(decision)
    this.#world = world
    const isCrash = decision.kind === 'crash' || decision.kind === 'restart'
    // A crash takes back that the process stopped.
    return world.events.slice(isCrash ? world.events.findLastIndex(({ kind }) => kind === 'crash') : before)
  }

  back(): void {
    invariant(this.#decisions.length > 0, 'a path goes back no further than to its beginning')
    this.#decisions.pop()
    this.#leave()
  }

  *arrive(): Generator<undefined, void> {
    if (this.#world !== undefined) return
    this.#heard.length = 0
    this.#heardAt.length = 0
    const world = new World(this.#subject, this.#beginsBackwards)
    this.#watched = watchedAfter(this.#watches, firstWatched(this.#watches), this.#heard)
    this.#ghost = this.#ghosts?.first ?? 0
    this.#announced = (this.#subject.called ?? []).map((event) => ({ at: beforeAll, event }))
    this.#haunt(world, beforeAll)
    for (const [step, decision] of this.#decisions.entries()) {
      if (!world.allows(decision)) throw new DiagnosticError(notRepeatable(decision, step))
      this.#takeIn(world, decision, step)
      if (step % pauseEvery === pauseEvery - 1) yield undefined
    }
    this.#world = world
  }

  key(): string | undefined {
    // Which faults have struck, and which may still strike, is not part of a key.
    if (this.#subject.faults !== undefined) return undefined
    const key = worldKey(this.#now(), this.#subject.exposing !== undefined)
    const watched = this.#watches.length === 0 ? key : `${key}|${watchedText(this.#watched)}`
    return this.#ghosts === undefined ? watched : `${watched}|${this.#ghosts.text(this.#ghost)}`
  }

  /** What is sent comes before what is announced: a process sends with its decision, and goes on then. */
  #takeIn(world: World, decision: Decision, step: number): void {
    if (this.#subject.overhears === undefined) return world.take(decision)
    this.#heard.length = 0
    this.#heardAt.length = 0
    const before = world.events.length
    world.take(decision)
    this.#haunt(world, step, 'process' in decision ? decision.process : undefined)
    if (this.#watches.length === 0) return
    const sent = world.events
      .slice(before)
      .flatMap((event) => (event.kind === 'send' && !event.notification ? [event.value] : []))
    this.#watched = watchedAfter(this.#watches, this.#watched, [...sent, ...this.#heard])
  }

  /** Objects are told of what was heard after a decision. */
  #haunt(world: World, step: number, by = 'main'): void {
    if (!this.#isRefining || this.#heard.length === 0) return
    if (this.#ghosts !== undefined) this.#ghost = this.#ghosts.after(this.#ghost, [...this.#heard])
    for (const event of this.#heard) this.#announced.push({ at: step, event })
    this.#show(world, by)
  }

  /** Calls of processes are steps; those of machines are part of one, and are told beside it. */
  #show(world: World, process: string): void {
    // Whoever compares two orders compares steps.
    if (this.#subject.exposing === undefined || this.#ghosts === undefined) return
    const last = world.events.at(-1)
    const by = last?.kind === 'spawn' ? last.child : process
    for (const [at, event] of this.#heard.entries())
      if (this.#subject.refines?.some((object) => callOf(object, event) !== undefined)) {
        const stack = this.#heardAt[at]
        world.events.push({ kind: 'announce', process: by, index: 0, value: event, isCall: true, stack })
      }
  }

  events(): readonly Event[] {
    return this.#now().events
  }

  violations(): readonly Violation[] {
    const world = this.#now()
    const refused = (this.#ghosts?.violations(this.#ghost) ?? []).map((one) => this.#withCalls(one, world))
    if (this.enabled().length > 0) return refused.length === 0 ? world.violations : [...world.violations, ...refused]
    this.#violations ??= [...world.violations, ...refused, ...world.endViolations(), ...this.#orderViolations()]
    return this.#violations
  }

  /** What it is about is known only here, where the calls have places among the events. */
  #withCalls(refused: Violation, world: World): Violation {
    const object = this.#subject.refines?.find(({ name }) => name === refused.property)
    const found = object && conflictingCalls(object, world.events, this.#subject.called)
    const at = found?.calls?.at(-1)?.event
    const stack = refused.stack ?? (at === undefined ? undefined : world.events[at]?.stack)
    return { ...refused, ...found, ...(stack === undefined ? {} : { stack }) }
  }

  #orderViolations(): readonly Violation[] {
    return seeing(this.#subject.properties, 'order').flatMap((one) => one.violations(this.order()))
  }

  shown(): readonly Shown[] {
    return this.#now().shown()
  }

  ending(): Ending {
    return this.#now().ending()
  }

  isBlocked(): boolean {
    return this.#now().isBlocked()
  }

  states(isLasting = false): ReadonlyMap<string, Value> {
    const states = this.#now().announcements()
    if (this.#watches.length === 0) return states
    return new Map([...states, ...watchedStates(this.#watches, this.#watched, isLasting)])
  }

  order(): PartialOrder {
    const order = partialOrderOf(this.events(), this.#decisions.length)
    return !this.#isRefining ? order : { ...order, announced: [...this.#announced] }
  }

  duties(): ReadonlySet<string> | undefined {
    return worldDuties(this.#now(), this.#subject.exposing)
  }

  doneBy(decision: Decision): readonly string[] {
    return dutiesDoneBy(this.#now(), decision)
  }

  alone(): Generator<undefined, Difference | undefined> {
    return restartDifference(this.#subject, this.#now().histories())
  }

  #leave(): void {
    this.#world = undefined
    this.#enabled = undefined
    this.#violations = undefined
  }

  #now(): World {
    if (this.#world === undefined) for (const _ of this.arrive());
    return this.#world as World
  }
}
