/** What was accepted and cannot have been heard: an argument behind the last, one that is needed and left out, a value of another kind. */
import type { MutatedCall } from './mutate.ts'

interface Takes {
  readonly least: number
  readonly most: number
  /** Paths whose values may be of any kind: data of the user's, or of several kinds by the guide. */
  readonly anything?: RegExp
}

const exactly = (count: number, anything?: RegExp): Takes => between(count, count, anything)
const between = (least: number, most: number, anything?: RegExp): Takes => {
  return anything === undefined ? { least, most } : { least, most, anything }
}

/** By function, as `calls.ts` calls it. */
const takes: { readonly [called: string]: Takes } = {
  program: between(2, 3, /^1\.params\.n/),
  every: between(1, 2),
  monitor: exactly(3, /^1\.observes$/),
  'yield* hot': exactly(1),
  'yield* cold': exactly(0),
  final: exactly(2),
  // What follows the body is given to it, also functions.
  'yield* spawn': between(2, Number.POSITIVE_INFINITY, /^(?:1$|[34])/),
  'yield* spawnAll': between(3, Number.POSITIVE_INFINITY, /^(?:2$|4)/),
  'yield* repeat': exactly(2),
  'yield* choose': exactly(1, /^0\./),
  'yield* assume': exactly(1),
  'yield* assert': between(1, 2),
  'yield* announce': exactly(1, /^0/),
  'yield* self': exactly(0),
  'yield* send': between(2, 3, /^1/),
  'yield* poll': between(0, 2, /^0/),
  'yield* receive': between(0, 2, /^0/),
  'yield* join': exactly(1),
  'yield* atomic': between(1, 2, /^1/),
  'yield* barrier': exactly(2),
  'yield* channel': between(1, 2),
  'yield* mutex': exactly(1),
  'yield* oneshot': exactly(1),
  'yield* readWriteLock': exactly(1),
  'yield* semaphore': exactly(2),
  'yield* timer': exactly(1),
  invariant: exactly(2),
  conflict: exactly(2),
  liveness: exactly(2),
  eventually: exactly(2),
  leadsTo: exactly(3),
  machine: exactly(2),
  system: between(2, 3, /^1\.params\.n/),
  // The parts of a system, by a function that hands them on.
  made: between(1, Number.POSITIVE_INFINITY),
  checkResult: between(1, 2, /^1\.(time|memory)$/),
  check: between(1, 2),
  checkHistory: between(2, 3, /^0\.calls\.0\.(args|result)/),
  specification: exactly(1, /^0\.initial/),
  'context.setTimer': exactly(2),
  'context.cancelTimer': exactly(1),
  'context.send': exactly(2, /^1/),
  'context.choose': exactly(1, /^0\./),
  'context.assert': between(1, 2),
  'context.announce': exactly(1, /^0/),
  linearizable: exactly(2, /^1\.operations\./),
}

/** Why a call that was accepted should not have been; nothing if it may. */
export function ignoredIn({ called, count, changed, kind }: Omit<MutatedCall, 'text'>): string | undefined {
  const known = takes[called]
  if (known === undefined) return `nobody has said what ${called} takes`
  if (kind === 'missing' && count < known.least) return 'an argument that is needed is missing'
  if (kind === 'extra' && count > known.most && changed?.value !== 'undefined') return 'a further argument is ignored'
  if (kind !== 'value' || changed === undefined || known.anything?.test(changed.path) === true) return undefined
  const [before, after] = [kindOf(changed.old), kindOf(changed.value)]
  // What refers to the program around it is of some kind, and options may be left out.
  const isAlike = before === undefined || after === before || after === 'undefined'
  return isAlike ? undefined : `a value of another kind is ignored, of ${called} ${changed.path.replace(/^\d+\.?/, '')}`
}

/** Of source text that stands for itself. */
function kindOf(text: string): string | undefined {
  try {
    const value: unknown = new Function(`return (${text})`)()
    if (value === null) return 'null'
    return Array.isArray(value) ? 'list' : typeof value
  } catch {
    return undefined
  }
}
