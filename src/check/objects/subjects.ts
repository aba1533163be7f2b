/** A client of a class as something to explore. */
import type { AtomicSection } from '../../core/code.ts'
import type { Criterion } from '../../core/verdict.ts'
import type { ObjectCheck } from '../../program/object-check.ts'
import type { Client } from '../../properties/linearizability/client.ts'
import { specification } from '../../properties/linearizability/specification.ts'
import type { ModuleState } from '../../semantics/memory/code.ts'
import { SequentialRuns } from '../../semantics/memory/sequential.ts'
import type { Granularity, ObjectSubject } from '../../semantics/memory/subject.ts'
import { Referee, violationOf } from './referee.ts'
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
}

export function subjectOf(judged: JudgedClass, client: Client): ObjectSubject {
  const { check, modules, granularity, criterion, deadlock, sections } = judged
  const base: ObjectSubject = {
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
  const referee = new Referee(
    check.specification === undefined
      ? new SequentialRuns(base)
      : new SpecificationRules(specification(check.specification as never)),
  )
  const judge: ObjectSubject['judge'] = (ending) => violationOf(ending, { referee, client, deadlock })
  return { ...base, judge, told: (ending, steps) => toldOf({ client, referee, judge }, ending, steps) }
}
