/** Generated executions for the agreement of repairs with brute force. */
import type { CodeFunction } from '../../src/core/code.ts'
import type { Random } from '../../src/core/random.ts'
import type { RecordedAccess, RecordedExecution } from '../../src/properties/repair/execution.ts'

export interface ExecutionShape {
  readonly processes: number
  readonly callsPerProcess: number
  readonly accesses: number
  readonly objects: number
}

/** Calls of straight-line methods, every access on a line of its own, interleaved at random. */
export function randomExecution(random: Random, shape: ExecutionShape): RecordedExecution {
  const processes = Array.from({ length: shape.processes }, () => ({ call: 0, line: 0 }))
  const accesses: RecordedAccess[] = []
  while (accesses.length < shape.accesses) {
    const process = random.below(shape.processes)
    const state = processes[process] as (typeof processes)[number]
    if (state.line > 0 && state.call < shape.callsPerProcess - 1 && random.below(8) === 0) {
      state.call++
      state.line = 0
    }
    const method = codeFunction(`m${state.call}`, 1, 99)
    accesses.push(
      randomAccess(random, shape.objects, {
        process,
        call: process * 10 + state.call,
        site: { function: method, line: ++state.line, column: 1 },
      }),
    )
  }
  return { accesses }
}

type Place = Pick<RecordedAccess, 'process' | 'call' | 'site'>

function randomAccess(random: Random, objects: number, place: Place): RecordedAccess {
  return {
    ...place,
    object: random.below(objects),
    part: random.below(6) === 0 ? -1 : random.below(3),
    mode: random.below(3) === 0 ? 'read' : 'write',
    isLock: false,
  }
}

/** Code that several calls share: two methods of up to three lines, each line with one or two accesses of fixed kind. */
export interface RandomCode {
  readonly methods: readonly (readonly Omit<RecordedAccess, 'process' | 'call'>[])[]
}

export function randomCode(random: Random): RandomCode {
  const methods = ['push', 'pop'].map((name, which) => {
    const first = which * 10 + 1
    const lines = 2 + random.below(2)
    const where = codeFunction(name, first, first + lines - 1)
    return Array.from({ length: lines }, (_, i) =>
      Array.from({ length: 1 + random.below(2) }, (__, column) => {
        const site = { function: where, line: first + i, column: column + 1 }
        const { process: _process, call: _call, ...access } = randomAccess(random, 2, { process: 0, call: 0, site })
        return random.below(6) === 0 ? { ...access, object: 9, part: 0, mode: 'write' as const, isLock: true } : access
      }),
    ).flat()
  })
  return { methods }
}

/** A client of the code: two or three processes with one or two calls each, interleaved at random. */
export function randomClientExecution(random: Random, { methods }: RandomCode): RecordedExecution {
  const waiting = Array.from({ length: 2 + random.below(2) }, (_, process) =>
    Array.from({ length: 1 + random.below(2) }, (__, call) =>
      random.pick(methods).map((access) => ({ ...access, process, call: process * 10 + call })),
    ).flat(),
  )
  const accesses: RecordedAccess[] = []
  while (waiting.some((lane) => lane.length > 0)) {
    accesses.push(...random.pick(waiting.filter((each) => each.length > 0)).splice(0, 1))
  }
  return { accesses }
}

function codeFunction(name: string, first: number, last: number): CodeFunction {
  return { file: 'stack.ts', name, lines: { first, last }, loops: [] }
}
