/** Executions as people are shown them: processes beside main go by the names of those they act for, and what they alone are told is left out. */
import type { Event } from '../core/event.ts'
import type { CallInTrace, EndedProcess, Violation } from '../core/property.ts'
import type { Drawn } from '../program/path.ts'
import type { ProcessBeside } from '../program/program.ts'

export function drawnWith(beside: readonly ProcessBeside[]): (drawn: Drawn) => Drawn {
  const known = new Map(beside.map((one) => [one.id, one]))
  const nameOf = (id: string) => known.get(id)?.shownAs ?? id
  const isPrivate = (id: string) => known.get(id)?.isPrivate === true
  const isShown = (event: Event) =>
    event.kind === 'send' ? !isPrivate(event.to) : event.kind !== 'receive' || !isPrivate(event.process)
  return ({ events, processes, violations }) => {
    const counts = new Map<string, number>()
    const [positions, messages] = [new Map<number, number>(), new Map<number, number>()]
    const shown = events.flatMap((event, at): readonly Event[] => {
      if (!isShown(event)) return []
      positions.set(at, positions.size)
      if (event.kind === 'send') messages.set(event.message, messages.size)
      const named = numbered(renamed(event, nameOf), messages)
      if (named.process === event.process) return [named]
      const index = counts.get(named.process) ?? 0
      counts.set(named.process, index + 1)
      return [{ ...named, index }]
    })
    return {
      events: shown,
      processes: endedOnce(processes, nameOf),
      violations: violations.map((violation) => moved(violation, positions)),
    }
  }
}

/** The violation with its calls, and what they do not depend on, where they are among the events that are shown. */
function moved(violation: Violation, positions: ReadonlyMap<number, number>): Violation {
  const { calls, unrelated } = violation
  const call = (one: CallInTrace): CallInTrace =>
    one.event === undefined ? one : { ...one, event: positions.get(one.event) as number }
  return {
    ...violation,
    ...(calls === undefined ? {} : { calls: calls.map(call) }),
    ...(unrelated === undefined ? {} : { unrelated: unrelated.flatMap((at) => positions.get(at) ?? []) }),
  }
}

function renamed(event: Event, nameOf: (id: string) => string): Event {
  const process = nameOf(event.process)
  if (event.kind === 'receive') return { ...event, from: nameOf(event.from) }
  if (event.kind === 'send') return { ...event, process, to: nameOf(event.to) }
  return process === event.process ? event : { ...event, process }
}

/** Messages are counted in the order in which those that are shown were sent. */
function numbered(event: Event, messages: ReadonlyMap<number, number>): Event {
  if (event.kind !== 'send' && event.kind !== 'receive') return event
  return { ...event, message: messages.get(event.message) ?? event.message }
}

/** Those that go by one name are one. */
function endedOnce(processes: readonly EndedProcess[], nameOf: (id: string) => string): readonly EndedProcess[] {
  const named = new Map<string, EndedProcess>()
  for (const process of processes) {
    const id = nameOf(process.id)
    if (!named.has(id))
      named.set(id, id === process.id ? process : { id, daemon: true, status: 'waiting', value: undefined })
  }
  return [...named.values()]
}
