/**
 * How many executions of a P program differ in more than the order of turns that have nothing to do with each other. All executions are gone
 * through one by one, and each is written down as what every machine did in its own order and in which order monitors were told: it knows
 * nothing of graphs, and nothing of how programs become processes.
 */
import type { Event } from '../../../src/core/event.ts'
import type { Decision } from '../../../src/core/trace.ts'
import type { TestCase } from '../../../src/frontends/p/symbols.ts'
import type { Path, Paths } from '../../../src/program/path.ts'
import type { Delivery } from './world.ts'

interface Subject {
  readonly paths: Paths
  readonly test: Pick<TestCase, 'monitors'>
  readonly delivery: Delivery
  /** Whether an execution that has ended counts; all do unless told. */
  readonly counts?: (path: Path) => boolean
}

/** Undefined: there are too many to go through. */
export function classesOf(subject: Subject, most: number): ReadonlySet<string> | undefined {
  const { counts = () => true } = subject
  const path = subject.paths.begin()
  const taken: Taken[] = []
  const classes = new Set<string>()
  let visited = 0
  const visit = (): boolean => {
    if (++visited > most) return false
    const enabled = path.enabled()
    if (enabled.length === 0 && counts(path)) classes.add(classText(taken, subject))
    for (const decision of enabled) {
      taken.push({ decision, events: [...path.take(decision)] })
      const isDone = visit()
      taken.pop()
      path.back()
      if (!isDone) return false
    }
    return true
  }
  return visit() ? classes : undefined
}

interface Taken {
  readonly decision: Decision
  readonly events: readonly Event[]
}

function classText(taken: readonly Taken[], { test, delivery }: Subject): string {
  const names = messageNames(taken)
  const own = new Map<string, string[]>()
  const told: string[] = []
  const note = (process: string, text: string): void => void own.set(process, [...(own.get(process) ?? []), text])
  let turn = ''
  for (const { decision, events } of taken) {
    const { process } = decision
    if (decision.kind !== 'choose') turn = `${process}.${own.get(process)?.length ?? 0}`
    note(process, decisionText(decision, names, delivery))
    for (const event of events) {
      if (event.kind !== 'send') continue
      if (delivery === 'mailbox') note(`to ${event.to}`, names.get(event.message) as string)
      if (isTold(event, test) && told.at(-1) !== turn) told.push(turn)
    }
  }
  if (delivery === 'mailbox') forgetUnseen(own, taken, names)
  return JSON.stringify([[...own].sort(([left], [right]) => (left < right ? -1 : 1)), told])
}

/** Each by its sender and how many that one had sent before. */
function messageNames(taken: readonly Taken[]): ReadonlyMap<number, string> {
  const counts = new Map<string, number>()
  const names = new Map<number, string>()
  for (const event of taken.flatMap(({ events }) => events)) {
    if (event.kind !== 'send') continue
    const count = counts.get(event.process) ?? 0
    counts.set(event.process, count + 1)
    names.set(event.message, `${event.process}.${count}`)
  }
  return names
}

/** What is taken from a mailbox follows from the order in which it was filled. */
function decisionText(decision: Decision, names: ReadonlyMap<number, string>, delivery: Delivery): string {
  if (decision.kind === 'choose') return `chooses ${decision.option}`
  if (decision.kind !== 'deliver' || delivery === 'mailbox') return 'moves'
  return `takes ${names.get(decision.message)}`
}

/** Who has halted does not see what comes after the last message that it took. */
function forgetUnseen(own: Map<string, string[]>, taken: readonly Taken[], names: ReadonlyMap<number, string>): void {
  const events = taken.flatMap(({ events: some }) => some)
  for (const { kind, process } of events) {
    if (kind !== 'stop') continue
    const came = own.get(`to ${process}`) ?? []
    const taken = events.filter((event) => event.kind === 'receive' && event.process === process)
    const last = Math.max(
      -1,
      ...taken.map((event) => came.indexOf(names.get((event as { message: number }).message) as string)),
    )
    own.set(`to ${process}`, came.slice(0, last + 1))
  }
}

function isTold({ process, value }: Extract<Event, { kind: 'send' }>, { monitors }: Subject['test']): boolean {
  const machine = process.split('/').at(-1)?.split('#')[0]
  const { kind: name } = value as { readonly kind: string }
  return monitors.some(
    ({ monitor, over }) => monitor.observes.includes(name) && [...over].some((one) => one.name === machine),
  )
}
