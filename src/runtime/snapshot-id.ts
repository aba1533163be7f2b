/** The identity of a snapshot: later ones are larger, and the initiator can be read off it. */
import { mostMachines } from './host-options.ts'

/** `time` is in milliseconds, and later than that of all snapshots the initiator knows of. */
export function snapshotId(time: number, initiator: number): number {
  return time * mostMachines + initiator
}

export function snapshotTime(id: number): number {
  return Math.floor(id / mostMachines)
}

export function initiatorOf(id: number): number {
  return id % mostMachines
}
