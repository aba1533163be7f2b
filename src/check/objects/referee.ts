/** Who says which results are right: the class run sequentially, or a specification. */
import { type CallResult, thrownWords } from '../../core/history.ts'
import type { Violation } from '../../core/property.ts'
import { showValue } from '../../core/value-text.ts'
import type { Client } from '../../properties/linearizability/client.ts'
import { printCall } from '../../properties/linearizability/client-text.ts'
import { placeOfSite } from '../../semantics/memory/code.ts'
import type { Explanation } from '../../semantics/memory/sequential.ts'
import type { ObjectEnding, ObjectWaiting } from '../../semantics/memory/subject.ts'

/** Tries the orders of an ending's calls. */
export interface Rules {
  /** See `ObjectSubject`. */
  prepare?(): Generator<undefined, void>
  explain(ending: ObjectEnding): Explanation
}

export class Referee {
  readonly #rules: Rules
  readonly #known = new Map<string, boolean>()

  constructor(rules: Rules) {
    this.#rules = rules
  }

  /** True if some order of the calls explains the results, and respects what returned before what was made. */
  admits(ending: ObjectEnding): boolean {
    const key = JSON.stringify([ending.results, ending.before, ending.waiting.map(({ process }) => process)])
    let known = this.#known.get(key)
    if (known === undefined) {
      known = this.explain(ending).stuck === undefined
      this.#known.set(key, known)
    }
    return known
  }

  explain(ending: ObjectEnding): Explanation {
    return this.#rules.explain(ending)
  }
}

/** What is wrong with an ending: a process that waits for ever, or results that no order of the calls explains. */
export function violationOf(
  ending: ObjectEnding,
  {
    referee,
    client,
    deadlock,
  }: { readonly referee: Referee; readonly client: Client; readonly deadlock: 'error' | 'allow' },
): Violation | undefined {
  const [failure] = ending.failures
  if (failure !== undefined) {
    const message = `${failure.words}${at(failure.site)}`
    return { kind: 'exception', property: message, message, place: placeOfSite(failure.site) }
  }
  const [first] = ending.waiting
  if (first !== undefined && deadlock === 'error') {
    return {
      kind: 'deadlock',
      property: 'deadlock freedom',
      message: ending.waiting
        .map((one) => `${one.process} waits for ever in ${one.operation}: ${one.forWhat}${at(one.site)}${behind(one)}`)
        .join('; '),
    }
  }
  if (referee.admits(ending)) return undefined
  return { kind: 'linearizability', property: 'linearizable', message: outcomeOf(ending, client) }
}

/** ' made at gate.ts:2', for a promise that nobody settles. */
function behind({ unsettled }: ObjectWaiting): string {
  if (unsettled === undefined) return ''
  const awaits = unsettled.awaits.map((site) => at(site)).filter((place) => place !== '')
  const inside = awaits.map((place) => `, whose code awaits one${place}`).join('')
  const made = unsettled.made === undefined ? '' : at(unsettled.made)
  return `${inside}${made === '' ? '' : `, made${made}`}`
}

function at(site: number): string {
  const place = placeOfSite(site)
  return place === undefined ? '' : ` at ${place.file}:${place.line}`
}

/** The results of all calls: `push(1) → undefined || push(2) → undefined; pop() → 2`. */
function outcomeOf(ending: ObjectEnding, client: Client): string {
  const results = new Map<string, CallResult[]>()
  for (const { process, result } of ending.history.calls)
    results.set(process, [...(results.get(process) ?? []), result])
  const texts = client.processes.map((calls, index) => {
    const known = results.get(`p${index + 1}`) ?? []
    return calls
      .slice(0, known.length)
      .map((call, at) => `${printCall(call)} → ${showResult(known[at])}`)
      .join('; ')
  })
  return texts.join(' || ')
}

export function showResult(result: CallResult | undefined): string {
  if (result === undefined || result.kind === 'pending') return 'never returns'
  return result.kind === 'returned'
    ? showValue(result.value)
    : result.kind === 'threw'
      ? thrownWords(result.error)
      : 'unknown'
}
