/**
 * How control moved between two consecutive accesses of an invocation, reconstructed from where they stand.
 *
 * An atomic section is static; what it does to an execution depends on which accesses belong to one visit of its lines. A
 * section inside a loop is left at the end of every round, a section in a function at the end of every activation.
 * Rounds and activations are not recorded, they are inferred: a place that is reached a second time, or an earlier line of
 * the same loop, means that a loop went round; without a loop around it, that the function was called again.
 * What this misses: a round that enters below where the last one stopped looks like the same round, and an expression over
 * several lines inside a loop, evaluated upwards, looks like two.
 */
import type { CodeFunction, CodeSite, LineRange } from '../../core/code.ts'
import { invariant } from '../../core/invariant.ts'
import type { RecordedAccess } from './execution.ts'

export interface Passage {
  /**
   * The innermost frame that both accesses share: the same activation of the same function. 0 is the operation's method,
   * -1 says that they share none.
   */
  readonly frame: number
  /** The loop of that frame's function that went round in between. */
  readonly loop: LineRange | undefined
}

/** Outermost first: the operation's method, …, the function in which the access itself stands. */
export function framesOf(access: RecordedAccess): readonly CodeSite[] {
  return access.callers === undefined ? [access.site] : [...access.callers, access.site]
}

export function contains(outer: LineRange, inner: LineRange): boolean {
  return outer.first <= inner.first && inner.last <= outer.last
}

/** The passages between the consecutive accesses of one invocation: the first leads from access 0 to access 1. */
export function passagesOf(accesses: readonly RecordedAccess[]): readonly Passage[] {
  const control = new Control()
  return accesses.flatMap((access) => control.moveTo(access) ?? [])
}

interface Frame {
  readonly site: CodeSite
  /** Equal for the same operation of the source. */
  readonly place: string
}

interface Movement extends Passage {
  /** True if the frame's function did again what it had done already. */
  readonly again: boolean
}

class Control {
  /** Of the access before; empty before the first. */
  #frames: readonly Frame[] = []
  #step: number | undefined
  /** By frame: the places reached in this round of this activation. */
  readonly #reached: Set<string>[] = []

  moveTo(access: RecordedAccess): Passage | undefined {
    const frames = placesOf(access)
    const atOnce = access.step !== undefined && access.step === this.#step
    const movement = this.#frames.length === 0 ? undefined : this.#movement(frames, atOnce)
    const kept = movement === undefined ? 0 : movement.again ? movement.frame : movement.frame + 1
    this.#reached.splice(kept)
    for (const [level, { place }] of frames.entries()) {
      const reached = this.#reached[level]
      if (reached === undefined) this.#reached.push(new Set([place]))
      else reached.add(place)
    }
    this.#frames = frames
    this.#step = access.step
    return movement && { frame: movement.frame, loop: movement.loop }
  }

  #movement(next: readonly Frame[], atOnce: boolean): Movement {
    for (const [level, to] of next.entries()) {
      const from = this.#frames[level]
      invariant(from !== undefined, 'calls and accesses have different places, so frames part before one list ends')
      if (!sameFunction(from.site.function, to.site.function)) {
        return level === 0 ? { frame: -1, loop: undefined, again: false } : this.#calledAgain(level - 1)
      }
      if (from.place === to.place) {
        if (level < next.length - 1) continue
        return atOnce ? { frame: level, loop: undefined, again: false } : this.#again(level, to.site)
      }
      const upwards = to.site.line < from.site.line && loopAround(from.site, to.site) !== undefined
      if (upwards || this.#reached[level]?.has(to.place)) return this.#again(level, to.site)
      return { frame: level, loop: undefined, again: false }
    }
    return { frame: -1, loop: undefined, again: false }
  }

  #again(level: number, to: CodeSite): Movement {
    const from = this.#frames[level]
    invariant(from !== undefined, 'the frame that repeats itself exists')
    const loop = loopAround(from.site, to)
    return loop !== undefined || level === 0 ? { frame: level, loop, again: true } : this.#calledAgain(level - 1)
  }

  /** The function one frame further in began anew, so this frame called it again, or was itself called again. */
  #calledAgain(level: number): Movement {
    const caller = this.#frames[level]
    const callee = this.#frames[level + 1]
    invariant(caller !== undefined && callee !== undefined, 'a function called again has a caller')
    const loop = loopAround(caller.site, caller.site)
    // A function written inside its caller needs no loop there: `items.forEach((item) => …)` calls it by itself.
    const isCallback = contains(caller.site.function.lines, callee.site.function.lines)
    return loop !== undefined || level === 0 || isCallback
      ? { frame: level, loop, again: true }
      : this.#calledAgain(level - 1)
  }
}

function placesOf(access: RecordedAccess): readonly Frame[] {
  const sites = framesOf(access)
  return sites.map((site, level) => {
    const what = level === sites.length - 1 ? access.mode : 'call'
    return { site, place: `${site.line}:${site.column}:${what}` }
  })
}

function sameFunction(left: CodeFunction, right: CodeFunction): boolean {
  return (
    left === right || (left.file === right.file && left.name === right.name && left.lines.first === right.lines.first)
  )
}

/** The innermost loop around both places. */
function loopAround(from: CodeSite, to: CodeSite): LineRange | undefined {
  const lines = { first: Math.min(from.line, to.line), last: Math.max(from.line, to.line) }
  return from.function.loops.findLast((loop) => contains(loop, lines))
}
