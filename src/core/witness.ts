/**
 * What has happened at all in the executions explored, so that a verdict can tell what never did: a property that was never asked, a
 * message that nobody took, an operation that threw every time. Each question is open from when it first comes up until the first
 * execution that answers it, so that a long search pays for it once. What engines try beside real executions, as `local` does, may
 * answer too many questions, never too few: what is told is true.
 */
import type { Place } from './diagnostic.ts'

/** Codes are part of the interface, and the order is that of reports. */
export const vacuityCodes = [
  'operation-always-throws',
  'operation-never-called',
  'operation-left-out',
  'call-not-asked-about',
  'property-never-evaluated',
  'field-never-there',
  /** A mistake, unless the search goes on: in the place of another one that is read. */
  'field-misspelt',
  'field-never-read',
  'process-never-there',
  'monitor-saw-nothing',
  'process-never-ran',
  'state-never-entered',
  'handler-never-run',
  'message-never-received',
  'never-said',
  'choice-of-one',
  'transaction-never-committed',
  'message-never-acknowledged',
  'unique-never-there',
  /** Not vacuous, but assumed: how time passes. */
  'clock-assumed',
  /** Not vacuous, but assumed: what a service does. */
  'service-assumed',
  /** Not vacuous, but assumed: what a specification declares of its calls, where it was only tried. */
  'declaration-assumed',
  /** Not vacuous, but bounded: how often timers of classes fire. */
  'timers-cut',
  /** Not vacuous, but not judged: what goes on for ever by what it chooses, where nothing is asked about what has no end. */
  'handler-may-go-on',
  'history-without-calls',
  /** Only execution ties what was proved to the program, and of no size was any looked at. */
  'proof-not-confirmed',
  /** The search went on from an earlier one: so much of it is in its counts because a file says so. */
  'taken-from-file',
  /** The search went on from an earlier one, whose executions cannot be asked any more. */
  'not-looked-for',
] as const
export type VacuityCode = (typeof vacuityCodes)[number]

/** What calls of classes came to, added up over what was judged; a call that waits does so for ever. */
export const outcomeCodes = ['operation-returned', 'operation-threw', 'operation-waited'] as const
export type OutcomeCode = (typeof outcomeCodes)[number]

/** How many calls of an operation of a specification there were at most in one execution. */
export const mostCode = 'operation-most'

/** Calls of a specification, repeated ones left out. */
export interface OperationMost {
  readonly operation: string
  readonly most: number
}

/** How often calls of an operation came to what. */
export interface OperationOutcomes {
  readonly operation: string
  readonly returned: number
  readonly threw: number
  readonly waited: number
}

/** Something that a check which holds says less about than a reader may think. */
export interface Vacuity {
  readonly code: VacuityCode
  /** The operation, property, field, process, state, handler or kind of message. */
  readonly subject: string
  /** How often it came up: calls that threw, sends that nobody took, choices with one option; 0 for what never came up. */
  readonly count: number
  /** Where it came up first, of what is at one place of the program. */
  readonly place?: Place | undefined
}

type KnownCode = VacuityCode | OutcomeCode | typeof mostCode

/** By question how often it came up, nothing if it is answered; and what calls came to. */
export type Known = readonly {
  readonly code: KnownCode
  readonly subject: string
  readonly count: number | undefined
}[]

const answered = -1

/** What is known later and was not before, for a sum of what was known in turn. */
export function knownSince(later: Known, before: Known): Known {
  const counts = new Map(before.map(({ code, subject, count }) => [`${code} ${subject}`, count]))
  return later.map(({ code, subject, count }) => {
    const known = code === mostCode ? 0 : counts.get(`${code} ${subject}`)
    return { code, subject, count: count === undefined ? undefined : count - (known ?? 0) }
  })
}

/** So many questions and answers are enough, if all that came up is answered by then. */
const enough = 20_000

export class Witness {
  #told = 0
  #open = 0

  /** By subject: how often it came up, or that it is answered. */
  readonly #questions = new Map<VacuityCode, Map<string, number>>(vacuityCodes.map((code) => [code, new Map()]))

  /** By operation what its calls came to, in the order of `outcomeCodes`. */
  readonly #outcomes = new Map<string, [number, number, number]>()

  readonly #most = new Map<string, number>()

  /** By code and subject: where it came up first, while places are captured. */
  readonly #stacks = new Map<string, string>()

  /** Something came up that would be vacuous, unless an execution shows otherwise. */
  ask(code: VacuityCode, subject: string, times = 1, stack?: string | undefined): void {
    if (stack !== undefined && this.stackOf(code, subject) === undefined) this.#stacks.set(`${code} ${subject}`, stack)
    const known = this.#questions.get(code) as Map<string, number>
    const before = known.get(subject)
    this.#told++
    if (before === undefined) this.#open++
    if (before !== answered) known.set(subject, (before ?? 0) + times)
  }

  stackOf(code: VacuityCode, subject: string): string | undefined {
    return this.#stacks.get(`${code} ${subject}`)
  }

  /** An execution shows that it is not vacuous. */
  answer(code: VacuityCode, subject: string): void {
    const known = this.#questions.get(code) as Map<string, number>
    const before = known.get(subject)
    this.#told++
    if (before === answered) return
    if (before !== undefined) this.#open--
    known.set(subject, answered)
  }

  /** Calls of an operation came to something. */
  came(code: OutcomeCode, operation: string, times = 1): void {
    const known = this.#outcomes.get(operation) ?? [0, 0, 0]
    known[outcomeCodes.indexOf(code) as 0 | 1 | 2] += times
    this.#outcomes.set(operation, known)
  }

  /** Of all operations that calls were told of. */
  outcomes(): readonly OperationOutcomes[] {
    return [...this.#outcomes].map(([operation, [returned, threw, waited]]) => ({ operation, returned, threw, waited }))
  }

  /** Some execution has so many calls of an operation. */
  met(operation: string, count: number): void {
    if (count > (this.#most.get(operation) ?? -1)) this.#most.set(operation, count)
  }

  most(): readonly OperationMost[] {
    return [...this.#most].map(([operation, most]) => ({ operation, most }))
  }

  /** Whether it need not be told more: later executions could only bring up what these did not, and a note left out is not untrue. */
  get isContent(): boolean {
    return this.#open === 0 && this.#told > enough
  }

  /** All of it, as plain data. */
  known(): Known {
    const asked = [...this.#questions].flatMap(([code, known]) =>
      [...known].map(([subject, count]) => ({ code, subject, count: count === answered ? undefined : count })),
    )
    const came = [...this.#outcomes].flatMap(([subject, counts]) =>
      counts.map((count, at) => ({ code: outcomeCodes[at] as OutcomeCode, subject, count })),
    )
    const most = this.most().map(
      ({ operation, most: count }) => ({ code: mostCode, subject: operation, count }) as const,
    )
    return [...asked, ...came, ...most]
  }

  /** What another one knows that was told of other executions. */
  add(known: Known): void {
    for (const { code, subject, count } of known) {
      if (code === mostCode) {
        this.met(subject, count ?? 0)
        continue
      }
      if (isOutcome(code)) {
        this.came(code, subject, count)
        continue
      }
      this.ask(code, subject, count ?? 0)
      if (count === undefined) this.answer(code, subject)
    }
  }

  /** What is open, in the order of codes. */
  open(): readonly Vacuity[] {
    return [...this.#questions].flatMap(([code, known]) =>
      [...known].flatMap(([subject, count]) => (count === answered ? [] : [{ code, subject, count }])),
    )
  }
}

function isOutcome(code: VacuityCode | OutcomeCode): code is OutcomeCode {
  return (outcomeCodes as readonly string[]).includes(code)
}
