/** A recorded execution prepared for questions: accesses by process, how control moved between them, what happened at once. */
import { invariant } from '../../core/invariant.ts'
import { type Edge, nearestConflicts } from './conflicts.ts'
import { type Passage, passagesOf } from './control.ts'
import type { RecordedAccess, RecordedExecution } from './execution.ts'

export interface Recording {
  readonly accesses: readonly RecordedAccess[]
  /** By process, its accesses in program order; an access is its index in the execution. */
  readonly lanes: readonly (readonly number[])[]
  /** By access: how control came here from the one before it in its call; undefined for the first of a call. */
  readonly arrivals: readonly (Passage | undefined)[]
  /** Program order and conflicts, those of locks among them: what every equivalent execution keeps. */
  readonly order: readonly Edge[]
  /** By access: the number of its action, which is the accesses that happened at once. */
  readonly actionOf: readonly number[]
}

export function recordingOf({ accesses }: RecordedExecution): Recording {
  const lanes = lanesOf(accesses)
  const arrivals = arrivalsOf(accesses, lanes)
  const order = [...lanes.flatMap(programOrder), ...nearestConflicts(accesses)]
  const shape = { accesses, lanes, arrivals }
  return { ...shape, order, actionOf: groupsOf(shape, (previous, next) => isSameStep(shape, previous, next)) }
}

type Shape = Pick<Recording, 'accesses' | 'lanes' | 'arrivals'>

/** Numbers of groups by access; `joined` says whether an access belongs to the group of the one before it in its call. */
export function groupsOf(
  { accesses, lanes, arrivals }: Shape,
  joined: (previous: number, next: number) => boolean,
): readonly number[] {
  const groups = new Array<number>(accesses.length).fill(-1)
  let count = 0
  for (const lane of lanes) {
    let previous: number | undefined
    for (const access of lane) {
      const isFirst = previous === undefined || arrivals[access] === undefined
      if (isFirst || previous === undefined || !joined(previous, access)) count++
      groups[access] = count - 1
      previous = access
    }
  }
  return groups
}

export function accessAt({ accesses }: Pick<Recording, 'accesses'>, index: number): RecordedAccess {
  const access = accesses[index]
  invariant(access !== undefined, 'numbers of accesses are indices of the execution')
  return access
}

function lanesOf(accesses: readonly RecordedAccess[]): readonly (readonly number[])[] {
  const lanes = new Map<number, number[]>()
  for (const [index, { process }] of accesses.entries()) {
    const lane = lanes.get(process)
    if (lane === undefined) lanes.set(process, [index])
    else lane.push(index)
  }
  return [...lanes].sort(([left], [right]) => left - right).map(([, lane]) => lane)
}

function arrivalsOf(
  accesses: readonly RecordedAccess[],
  lanes: readonly (readonly number[])[],
): readonly (Passage | undefined)[] {
  const arrivals = new Array<Passage | undefined>(accesses.length).fill(undefined)
  for (const lane of lanes) {
    for (const call of callsOf(accesses, lane)) {
      const passages = passagesOf(call.map((index) => accessAt({ accesses }, index)))
      for (const [i, index] of call.slice(1).entries()) arrivals[index] = passages[i]
    }
  }
  return arrivals
}

function callsOf(accesses: readonly RecordedAccess[], lane: readonly number[]): readonly (readonly number[])[] {
  const calls: number[][] = []
  let current: number | undefined
  for (const index of lane) {
    const { call } = accessAt({ accesses }, index)
    if (call === current) calls.at(-1)?.push(index)
    else calls.push([index])
    current = call
  }
  return calls
}

function programOrder(lane: readonly number[]): readonly Edge[] {
  return lane.slice(1).map((to, i): Edge => [lane[i] ?? to, to])
}

function isSameStep(shape: Shape, previous: number, next: number): boolean {
  const { step } = accessAt(shape, next)
  return step !== undefined && step === accessAt(shape, previous).step
}
