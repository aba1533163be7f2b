/**
 * What processes show a witness. A process that is begun again and given its earlier answers shows the last of them alone: every
 * answer is the last one when it is given for the first time.
 */
import { callStep, type Operation } from '../core/operation.ts'
import { running } from '../core/running.ts'
import type { Runnable } from '../program/program.ts'

/** A process between two operations. */
interface Shown {
  readonly start: { readonly id: string; readonly monitor: boolean }
  readonly status: string
  readonly pending: Operation | undefined
  readonly notifying: boolean
}

type Subject = Pick<Runnable, 'witness' | 'exposing' | 'monitors'>

export function tellStart(subject: Subject, process: Shown): void {
  const { monitor, id } = process.start
  if (!isTold(subject, process)) return
  if (monitor) subject.witness?.ask('monitor-saw-nothing', id, 0)
  else if (process.status === 'asking') subject.witness?.ask('process-never-ran', id, 0)
  tellPending(subject, process)
}

/** Timers and clocks mean something only with what is assumed about them. How often they are asked is how often code runs, which says nothing. */
export function tellClock({ witness }: Pick<Subject, 'witness'>, { start }: Pick<Shown, 'start'>): void {
  running.clocked = false
  if (witness?.isContent === false) witness.ask('clock-assumed', start.id, 0)
}

/** What a program relies on is what its services are taken to do. */
export function tellServices({ witness }: Pick<Subject, 'witness'>): void {
  for (const assumed of running.assumed.splice(0)) {
    if (witness?.isContent === false) witness.ask('service-assumed', assumed, 0)
  }
  for (const { code, subject, isThere } of running.looked.splice(0)) {
    if (witness?.isContent !== false) continue
    if (isThere) witness.answer(code, subject)
    else witness.ask(code, subject, 0)
  }
}

export function tellAnswer(
  subject: Subject,
  process: Shown,
  { kind, answer, source }: { readonly kind: string | undefined; readonly answer: unknown; readonly source?: unknown },
): void {
  const { monitor, id } = process.start
  if (!isTold(subject, process)) return
  subject.witness?.answer(monitor ? 'monitor-saw-nothing' : 'process-never-ran', id)
  if (isReceived(kind, source) && !monitor) subject.witness?.answer('message-never-received', kindWords(answer))
}

/** Whether an answer is that of a message, which may be `undefined`: a receive has always received, a poll only what has a source. */
export function isReceived(kind: string | undefined, source: unknown): boolean {
  return kind === 'receive' || (kind === 'poll' && source !== undefined)
}

export function tellPending(subject: Subject, process: Shown): void {
  const { pending, start, notifying } = process
  if (pending === undefined || notifying || !isTold(subject, process)) return
  // Messages between the servers of shared objects are left unread where they change nothing.
  if (pending.kind === 'send' && pending.where === undefined)
    subject.witness?.ask('message-never-received', kindWords(pending.payload))
  if (pending.kind !== 'choose' || pending.target === callStep) return
  const { length } = pending.payload as readonly unknown[]
  if (length === 1) subject.witness?.ask('choice-of-one', start.id)
  else subject.witness?.answer('choice-of-one', start.id)
}

/** Machines tell of their handlers instead, and what delivers messages is a monitor that no user declared. */
function isTold({ exposing, witness, monitors }: Subject, { start }: Shown): boolean {
  if (witness?.isContent !== false) return false
  return start.monitor ? monitors.some(({ name }) => name === start.id) : exposing === undefined
}

/** How reports call messages of a sort. */
function kindWords(message: unknown): string {
  const kind: unknown = (Object(message) as { readonly kind?: unknown }).kind
  return typeof kind === 'string' ? kind : 'without kind'
}
