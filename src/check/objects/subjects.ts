/** A client of a class as something to explore. */
import type { AtomicSection } from '../../core/code.ts'
import { statefulOptions } from '../../engines/stateful/options.ts'
import type { Client } from '../../properties/linearizability/client.ts'
import { specification } from '../../properties/linearizability/specification.ts'
import { SequentialRuns } from '../../semantics/memory/sequential.ts'
import type { ObjectSubject } from '../../semantics/memory/subject.ts'
import { Referee, violationOf } from './referee.ts'
import type { ObjectRequest } from './request.ts'
import { SpecificationRules } from './specification-rules.ts'

export interface ClientSubject {
  readonly client: Client
  readonly subject: ObjectSubject
  readonly referee: Referee
}

export function subjectOf(request: ObjectRequest, client: Client, sections: readonly AtomicSection[]): ClientSubject {
  const { check, modules, granularity, criterion, deadlock } = request
  const base: ObjectSubject = {
    create: check.create,
    modules,
    setup: client.setup ?? [],
    processes: client.processes,
    granularity,
    isTimed: criterion === 'linearizable',
    isFused: request.engine.options === statefulOptions && request.safeSets && request.reduction !== 'none',
    sections,
    judge: () => undefined,
  }
  const referee = new Referee(
    check.specification === undefined
      ? new SequentialRuns(base)
      : new SpecificationRules(specification(check.specification as never)),
  )
  const judge: ObjectSubject['judge'] = (ending) => violationOf(ending, { referee, client, deadlock })
  return { client, referee, subject: { ...base, judge } }
}
