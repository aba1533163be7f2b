/** Numbers by which a part of all states, a machine, a line or a monitor, is told to be what it was: as long as diagrams keep their numbers. */
import type { MonitorSlot, Slot } from './state.ts'
import { putContents } from './summaries/equality.ts'
import type { SeqSummary } from './summaries/summary.ts'

export function isAlike(before: readonly number[] | undefined, now: readonly number[]): boolean {
  return before?.length === now.length && before.every((one, at) => one === now[at])
}

export function lineContents(line: SeqSummary): readonly number[] {
  const all: number[] = []
  putContents(line, all)
  return all
}

export function monitorContents({ state, fields }: MonitorSlot): readonly number[] {
  const all = [state]
  for (const field of fields) putContents(field, all)
  return all
}

/** Names come in the order in which they were first created. */
export function machineContents({ phase, control, created, saved, fields, inbox, argument }: Slot): readonly number[] {
  const all = [phase, control, created.size, ...created.values(), saved.size]
  for (const [where, values] of saved) {
    all.push(where)
    for (const value of values) putContents(value, all)
  }
  for (const field of fields) putContents(field, all)
  putContents(inbox, all)
  putContents(argument, all)
  return all
}
