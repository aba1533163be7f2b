/** What classes call that run in JavaScript's own job order (`allways/job-order`): what `src/jobs` has for lowered code, and where it stands. */
import { mistake, running } from '../../core/running.ts'
import { currentLoop } from '../../jobs/loop.ts'

export {
  arrow,
  awaitLoop,
  call,
  declared,
  declaredGenerator,
  delegate,
  disposals,
  generate,
  generatorMethods,
  keep,
  kept,
  methods,
  read,
  readGenerator,
  recursive,
  recursiveGenerator,
  refuse,
  value,
  wrapped,
  wrappedGenerator,
  yielded,
} from '../../jobs/lowered.ts'

/** Whose code runs: a process of the client, or what a timer of it began. It goes along with all that the code leads to. */
export interface Origin {
  readonly process: string
  /** How many callbacks of timers led to it. */
  readonly round: number
  /** Is told what is awaited. */
  readonly awaits: (site: Site) => void
}

export interface Site {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Goes around what is awaited. */
export function at(file: string, line: number, column: number): (value: unknown) => unknown {
  return (value) => {
    const origin = currentLoop.context as Origin | undefined
    origin?.awaits({ file, line, column })
    return value
  }
}

/** Stands at the head of every loop body. */
export function tick(): void {
  if (--running.fuel >= 0 || running.process === undefined) return
  running.fuel = -1
  mistake(neverEnds)
}

export const neverEnds = {
  code: 'E304',
  message: "a call goes on for ever in JavaScript's own job order",
  hint: 'every operation must come to an end: bound its loops, and what its promises begin',
} as const
