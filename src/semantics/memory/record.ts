/** The judge of objects: repeats the decisions of an execution on a new instance and writes down everything that happens. */
import type { CodeSite } from '../../core/code.ts'
import type { CodeStep } from '../../core/evidence.ts'
import type { Violation } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import { accessModes } from '../../program/stateful.ts'
import type { Observed } from './client-runner.ts'
import { siteOf } from './code.ts'
import type { Callers, Touch } from './heap.ts'
import { StepWords } from './step-words.ts'
import type { Granularity, ObjectEnding } from './subject.ts'
import type { ObjectWorld } from './world.ts'

/** One access to shared state. */
export interface ExecutedAccess {
  readonly process: number
  /** Which call of the client it belongs to: the same number for all accesses of one call. */
  readonly call: number
  readonly site: CodeSite
  /** Call sites above it, outermost first. */
  readonly callers: readonly CodeSite[]
  readonly object: number
  readonly part: number
  readonly mode: 'read' | 'write'
  readonly isLock: boolean
  /** Accesses of one step have the same number. */
  readonly step: number
}

export interface ObjectExecution {
  readonly steps: readonly CodeStep[]
  readonly accesses: readonly ExecutedAccess[]
  readonly ending: ObjectEnding
  readonly violation: Violation | undefined
  /** Whether nothing more could happen. */
  readonly isEnded: boolean
}

/** Nothing if a decision is impossible: then what was decided does not belong to this subject. */
export function executed(world: ObjectWorld, decisions: readonly Decision[]): ObjectExecution | undefined {
  const walk = world.walk()
  const recorder = new Recorder(world.subject.granularity)
  walk.observe = (step) => recorder.note(step)
  for (const decision of decisions) {
    const process = world.processes.indexOf(decision.process)
    if (!walk.moves().some((move) => move.process === process)) return undefined
    walk.step(process)
  }
  const { steps, accesses } = recorder
  const isEnded = walk.moves().length === 0
  return { steps, accesses, ending: walk.ending(), violation: isEnded ? walk.violation() : undefined, isEnded }
}

/** How far an execution had been written down. */
interface RecordMark {
  readonly steps: number
  readonly accesses: number
  readonly names: number
  readonly objects: number
  readonly calls: number
}

export class Recorder {
  readonly steps: CodeStep[] = []
  readonly accesses: ExecutedAccess[] = []
  /** Numbers that stay the same throughout the execution, unlike those of canonical states. */
  readonly #objects = new Map<object, number>()
  /** By process and call. */
  readonly #calls = new Map<string, number>()
  readonly #words = new StepWords()
  readonly #granularity: Granularity

  constructor(granularity: Granularity) {
    this.#granularity = granularity
  }

  mark(): RecordMark {
    const { steps, accesses } = this
    return {
      steps: steps.length,
      accesses: accesses.length,
      names: this.#words.mark,
      objects: this.#objects.size,
      calls: this.#calls.size,
    }
  }

  /** Forgets everything since: the execution takes another turn. */
  rollBack(mark: RecordMark): void {
    this.steps.length = mark.steps
    this.accesses.length = mark.accesses
    this.#words.rollBack(mark.names)
    forget(this.#objects, mark.objects)
    forget(this.#calls, mark.calls)
  }

  note(observed: Observed): void {
    const { client, kind, pending, touches, call, index } = observed
    const { name, number } = client.process
    // An await after a call stands where the call does.
    const site = pending === undefined ? undefined : (siteOf(pending.site) ?? siteOf(pending.frame?.site ?? -1))
    const words = this.#words.of(observed)
    const isByAccess = this.#granularity === 'access'
    this.steps.push({
      process: name,
      kind,
      site,
      text: kind === 'access' ? words : call,
      ...(isByAccess && kind === 'access' && pending?.operation.visible === false ? { isSilent: true } : {}),
      ...(isByAccess ? {} : { inside: this.#inside(observed) }),
    })
    for (const touch of touches) this.#access(number, this.#callOf(name, index), touch)
  }

  #inside({ touches }: Observed): NonNullable<CodeStep['inside']> {
    return touches.flatMap((touch) => {
      const site = siteOf(touch.position.site)
      return site === undefined || touch.shown === 'with the one before'
        ? []
        : [{ site, text: this.#words.touched(touch) }]
    })
  }

  #access(process: number, call: number, { object, part, mode, isLock, position }: Touch): void {
    const callers = callerSites(position.callers)
    const own = siteOf(position.site)
    const site = own ?? callers.at(-1)
    if (site === undefined) return
    const shown = own === undefined ? callers.slice(0, -1) : callers
    const isRead = mode === accessModes.read
    this.accesses.push({
      process,
      call,
      site,
      callers: shown,
      object: this.#numberOf(object),
      part,
      mode: isRead ? 'read' : 'write',
      isLock,
      step: this.steps.length,
    })
  }

  #numberOf(object: object): number {
    const known = this.#objects.get(object)
    if (known !== undefined) return known
    this.#objects.set(object, this.#objects.size)
    return this.#objects.size - 1
  }

  #callOf(process: string, index: number): number {
    const key = `${process} ${index}`
    const known = this.#calls.get(key)
    if (known !== undefined) return known
    this.#calls.set(key, this.#calls.size)
    return this.#calls.size - 1
  }
}

/** Drops the entries that came last, so that so many are left. */
function forget(numbers: Map<unknown, number>, left: number): void {
  for (const [key, number] of numbers) if (number >= left) numbers.delete(key)
}

function callerSites(callers: Callers | undefined): readonly CodeSite[] {
  const found: CodeSite[] = []
  for (let caller = callers; caller !== undefined; caller = caller.parent) {
    const site = siteOf(caller.site)
    if (site !== undefined) found.unshift(site)
  }
  return found
}
