/** Lines that run without interruption: whether a process is between the beginning and the end of such lines. */
import type { AtomicSection, CodeSite } from '../../core/code.ts'
import { siteOf } from './code.ts'
import type { Caller } from './process.ts'

/** A position within a section. */
export interface Inside {
  readonly section: AtomicSection
  /** Which activation of the function: how many callers it has. */
  readonly depth: number
  readonly position: CodeSite
  /** The same for everything that one evaluation of the position does. */
  readonly evaluation: unknown
  /** Positions this passage has been at, the last one first. */
  readonly passed: Passed | undefined
  /** How many. */
  readonly length: number
}

interface Passed {
  readonly position: CodeSite
  readonly evaluation: unknown
  readonly previous: Passed | undefined
}

export class Sections {
  readonly #sections: readonly AtomicSection[]

  constructor(sections: readonly AtomicSection[]) {
    this.#sections = sections
  }

  get isEmpty(): boolean {
    return this.#sections.length === 0
  }

  /** The outermost section around a position. */
  at(site: number, frame: Caller | undefined): Inside | undefined {
    if (this.isEmpty) return undefined
    for (const [depth, { position, evaluation }] of pathTo(site, frame).entries()) {
      const section = position === undefined ? undefined : this.#around(position)
      if (section !== undefined && position !== undefined)
        return { section, depth, position, evaluation, passed: undefined, length: 0 }
    }
    return undefined
  }

  /** True if a process that was inside is still in the same passage through the section. */
  continues(before: Inside, now: Inside | undefined): boolean {
    if (now === undefined || now.section !== before.section || now.depth !== before.depth) return false
    const isOnward = now.position.line >= before.position.line
    if (isOnward && !wasHere(before.passed, now)) return true
    return loopsInside(now.position, before.section, before.position.line)
  }

  /** The new position, with the memory of the passage if it goes on. */
  onward(before: Inside | undefined, now: Inside | undefined): Inside | undefined {
    if (now === undefined) return undefined
    const { position, evaluation } = now
    const passed = { position, evaluation, previous: before?.passed }
    return { ...now, passed, length: (before?.length ?? 0) + 1 }
  }

  #around({ function: code, line }: CodeSite): AtomicSection | undefined {
    return this.#sections.find(
      (one) =>
        one.file === code.file && one.function === code.name && one.lines.first <= line && line <= one.lines.last,
    )
  }
}

/** True if the passage has been at the position before, in another evaluation of it. */
function wasHere(passed: Passed | undefined, { position, evaluation }: Inside): boolean {
  for (let at = passed; at !== undefined; at = at.previous) {
    if (at.position === position && at.evaluation !== evaluation) return true
  }
  return false
}

/** Going back is going on if a loop that lies in the section leads there; otherwise the section was entered anew. */
function loopsInside({ function: code, line }: CodeSite, { lines }: AtomicSection, from: number): boolean {
  return code.loops.some(
    // The last line of a loop is its closing brace as a rule, which does nothing.
    (loop) => loop.first >= lines.first && loop.last <= lines.last + 1 && loop.first <= line && from <= loop.last,
  )
}

interface Step {
  readonly position: CodeSite | undefined
  readonly evaluation: unknown
}

/** Outermost caller first, the position itself last. A call is one evaluation; every access is one of its own. */
function pathTo(site: number, frame: Caller | undefined): readonly Step[] {
  const found: Step[] = [{ position: siteOf(site), evaluation: {} }]
  for (let caller = frame; caller !== undefined; caller = caller.parent) {
    found.unshift({ position: siteOf(caller.site), evaluation: caller })
  }
  return found
}
