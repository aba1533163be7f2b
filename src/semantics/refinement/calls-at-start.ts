/**
 * Calls of abstract objects that machines announce when they start. All machines of a system have started before anything else happens, so their calls come
 * before all others; which machine starts first nobody knows. An order that is refused is one that can happen, and is taken; where orders leave different
 * states there would be several systems to check, and the calls are refused.
 */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { Address, encodeValue, type Value } from '../../core/value.ts'
import type { Announced } from '../../program/machines.ts'
import type { MonitorDeclaration } from '../../program/program.ts'
import { type AbstractObject, callOf } from '../../program/refinement.ts'

/** A machine, as it has started. */
export interface Started {
  readonly setup: { readonly self: string }
  readonly definition: { readonly stack?: string | undefined }
  readonly announced: readonly Announced[]
}

interface Asked {
  readonly refines: readonly AbstractObject[]
  readonly monitors: readonly MonitorDeclaration[]
}

/** Combinations of machines that have started, and of what the object is then; each is looked at. */
const mostCombinations = 4_096

/** In the order in which they count. Nothing of a machine that is alone, which announces them itself. */
export function callsAtStart(started: readonly Started[], { refines, monitors }: Asked): readonly Value[] | undefined {
  const calling = started.filter(({ announced }) => announced.some(({ event }) => isCall(event, refines)))
  if (started.length < 2 || calling.length === 0) return undefined
  for (const one of calling) refuseObserved(one, { refines, monitors })
  const refused = refines.map((object) => refusedOrder(calling, object)).find((order) => order !== undefined)
  return (refused ?? calling).flatMap(({ announced }) =>
    announced.flatMap(({ event }) => (isCall(event, refines) ? [event] : [])),
  )
}

export function isCall(event: Value, refines: readonly AbstractObject[]): boolean {
  return refines.some((object) => callOf(object, event) !== undefined)
}

/** A state of the object, and who has started until then. */
interface Combination {
  readonly order: readonly Started[]
  readonly state: Value
}

/** Machines in an order in which the object refuses a call, if there is one. */
function refusedOrder(calling: readonly Started[], object: AbstractObject): readonly Started[] | undefined {
  let reached: readonly Combination[] = [{ order: [], state: object.first }]
  let count = 0
  for (const _ of calling) {
    const next = new Map<string, Combination>()
    for (const { order, state } of reached) {
      for (const one of calling) {
        if (order.includes(one)) continue
        const after = applied(object, state, one)
        if (after === undefined)
          return [...order, one, ...calling.filter((other) => other !== one && !order.includes(other))]
        const who = calling.map((other) => other === one || order.includes(other))
        next.set(`${who.join()}|${encodeValue(after.state)}`, { order: [...order, one], state: after.state })
      }
    }
    reached = [...next.values()]
    count += reached.length
    if (count > mostCombinations)
      throw new DiagnosticError(unordered(calling[0] as Started, object, 'have too many orders to try'))
  }
  if (reached.length > 1)
    throw new DiagnosticError(unordered(calling[0] as Started, object, 'lead to different states in different orders'))
  return undefined
}

/** Nothing, if a call is refused. */
function applied(object: AbstractObject, before: Value, { announced }: Started): { readonly state: Value } | undefined {
  let state = before
  for (const { event } of announced) {
    const call = callOf(object, event)
    const after = call && object.after(state, call)
    if (after === undefined) continue
    if ('refused' in after) return undefined
    state = after.state
  }
  return { state }
}

/** Monitors are told of what machines announce, and these calls come before all machines. */
function refuseObserved(one: Started, { refines, monitors }: Asked): void {
  const by = Address.of<never>(one.setup.self)
  for (const { event } of one.announced) {
    const observing = monitors.find((monitor) => monitor.observes({ kind: 'announce', by, message: event }))
    const object = refines.find((each) => callOf(each, event) !== undefined)
    if (observing === undefined || object === undefined) continue
    throw new DiagnosticError({
      code: 'E222',
      message: `machine "${one.setup.self}" announces a call of "${object.name}" when it starts, which monitor "${observing.name}" observes: it comes before all that monitors are told`,
      hint: 'announce it in a handler, such as one of a request, or announce another event for the monitor',
      stack: one.definition.stack,
    })
  }
}

function unordered({ setup, definition }: Started, { name }: AbstractObject, what: string): Diagnostic {
  return {
    code: 'E222',
    message: `calls of "${name}" that machine "${setup.self}" and others announce when they start ${what}`,
    hint: 'which of them starts first is not known: announce them in a handler, such as one of a request, or let the object begin in the state that they lead to',
    stack: definition.stack,
  }
}
