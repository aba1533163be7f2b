/** A client of a class as something to explore. */
import type { AtomicSection } from '../../core/code.ts'
import type { Criterion } from '../../core/verdict.ts'
import type { ObjectCheck } from '../../program/object-check.ts'
import type { Client } from '../../properties/linearizability/client.ts'
import { specification } from '../../properties/linearizability/specification.ts'
import type { ModuleState } from '../../semantics/memory/code.ts'
import { SequentialRuns } from '../../semantics/memory/sequential.ts'
import type { Granularity, ObjectEnding, ObjectSubject } from '../../semantics/memory/subject.ts'
import { Referee, type Rules, violationOf } from './referee.ts'
import { SpecificationRules } from './specification-rules.ts'
import { toldOf } from './told.ts'

/** A class, how finely its steps are cut, and how its clients are judged. */
export interface JudgedClass {
  readonly check: ObjectCheck
  /** Of the modules the class comes from. */
  readonly modules: ModuleState
  readonly granularity: Granularity
  readonly criterion: Criterion
  readonly deadlock: 'error' | 'allow'
  /** Lines taken to be atomic, to see what that would change. */
  readonly sections: readonly AtomicSection[]
  /** The class as it was: what it does sequentially is right, and it knew nothing of locks that somebody waits for. */
  readonly original?: OriginalClass | undefined
}

export interface OriginalClass {
  readonly create: ObjectCheck['create']
  readonly modules: ModuleState
}

export function subjectOf(judged: JudgedClass, client: Client, rules = rulesFor(judged, client)): ObjectSubject {
  const { deadlock, original } = judged
  const referee = new Referee(rules)
  const judge: ObjectSubject['judge'] = (ending) =>
    violationOf(ending, { referee, client, deadlock: deadlockIn(ending, deadlock, original) })
  return {
    ...baseOf(judged, client),
    prepare: rules.prepare && (() => rules.prepare?.() as Generator<undefined, void>),
    judge,
    told: (ending, steps) => toldOf({ client, referee, judge }, ending, steps),
  }
}

/** Who says what is right for a client; several subjects may share it, so that sequential runs are made once. */
export function rulesFor(judged: JudgedClass, client: Client): Rules {
  const { check, original } = judged
  return check.specification === undefined
    ? new SequentialRuns({ ...baseOf(judged, client), ...original })
    : new SpecificationRules(specification(check.specification as never))
}

function baseOf(judged: JudgedClass, client: Client): ObjectSubject {
  const { check, modules, granularity, criterion, sections } = judged
  return {
    create: check.create,
    modules,
    setup: client.setup ?? [],
    processes: client.processes,
    granularity,
    isTimed: criterion === 'linearizable',
    isFused: false,
    sections,
    judge: () => undefined,
  }
}

/** Calls that may wait for ever may do so as they did before, not for a lock that is new. */
function deadlockIn(
  { waiting }: ObjectEnding,
  deadlock: JudgedClass['deadlock'],
  original: OriginalClass | undefined,
): JudgedClass['deadlock'] {
  if (original === undefined) return deadlock
  return waiting.some(({ forWhat }) => /\bacquire/.test(forWhat)) ? 'error' : deadlock
}
