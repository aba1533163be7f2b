/** When executions are audited: the first ones one by one, later ones ever more rarely. One plan for all that a thread explores. */
import { violationKey } from '../core/property.ts'
import type { EngineEvent } from '../engines/engine.ts'
import type { Auditing, Watch } from './driver.ts'

/**
 * Down to one in so many: an audit of a 27-step execution takes about 1 ms, as much as exploring four hundred, and mistakes of
 * this kind show early.
 */
const auditedFirst = 16
const auditEvery = 8_192

type Audited = Pick<Extract<EngineEvent, { readonly kind: 'execution' }>, 'decisions' | 'violations'>

export class Audits {
  readonly #audit: Watch['audit']
  readonly #first: number
  #explored = 0
  #next = 1

  /** Where others have audited the first executions, one shows whether this thread is like theirs. */
  constructor(audit: Watch['audit'], beside?: 'beside others') {
    this.#audit = audit
    this.#first = beside === undefined ? auditedFirst : 0
  }

  add(executions: number): void {
    this.#explored += executions
  }

  /** Executions until the next audit. */
  get left(): number {
    return this.#next - this.#explored
  }

  /** What went wrong in an execution before its unit began was found by whoever explored that, who may be somebody else. */
  begin({ decisions, violations }: Audited, found: ReadonlyMap<string, unknown>): Auditing | undefined {
    const explored = this.#explored
    const later = this.#first === 0 ? auditEvery : Math.min(Math.ceil(explored * 0.5), auditEvery)
    this.#next = explored + (explored < this.#first ? 1 : later)
    if (this.#audit === undefined) return undefined
    const before = new Set(violations?.().map(violationKey))
    const isKnown = (key: string): boolean => before.has(key) || found.has(key)
    return this.#audit(decisions(), (violation) => isKnown(violationKey(violation)))
  }
}
