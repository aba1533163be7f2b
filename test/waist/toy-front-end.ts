/**
 * A front end from outside. A `.toy` file has a program per line, `name: 2 3` for two processes of two and three steps, or
 * `name: 2 3 never 1 2` if they must never have made one and two steps at the same time.
 */
import { readFileSync } from 'node:fs'
import { failure, success } from '../../src/core/diagnostic.ts'
import type { Event } from '../../src/core/event.ts'
import type { Violation } from '../../src/core/property.ts'
import type { Decision } from '../../src/core/trace.ts'
import { fingerprintText } from '../../src/core/value.ts'
import type { FrontEnd, LoadedProgram } from '../../src/frontends/frontend.ts'
import type { Path, Paths } from '../../src/program/path.ts'
import { registerProgram } from '../../src/program/program.ts'

export const toys: FrontEnd = {
  reads: 'a file of toys',
  extensions: ['.toy'],
  checkFiles: /\.toy$/,
  shownNames: ['*.toy'],
  async load(path, shown) {
    const text = readFileSync(path, 'utf8')
    const programs: LoadedProgram[] = []
    for (const [at, line] of text.split('\n').entries()) {
      const [, name, counts, never] = /^(\w+): ([\d ]+?)(?: never ([\d ]+))?$/.exec(line) ?? []
      const place = { file: shown, line: at + 1, column: 1 }
      if (line === '') continue
      if (name === undefined || counts === undefined)
        return failure({ code: 'E102', message: `${shown} has a line that is not a toy`, hint: 'name: 1 2 3', place })
      const paths = toyPaths(numbers(counts), never === undefined ? undefined : numbers(never))
      const program = registerProgram({
        name,
        params: {},
        every: {},
        network: 'bag',
        options: {},
        views: { path: () => paths },
        stack: undefined,
      })
      programs.push({ exportName: name, program, place })
    }
    const digest = fingerprintText(text)
    return success({ file: shown, programs, objects: [], digest, sources: { [shown]: digest } })
  },
}

function numbers(text: string): readonly number[] {
  return text.trim().split(' ').map(Number)
}

/** Exported for toys that are made by hand. */
export function toyPaths(steps: readonly number[], never: readonly number[] | undefined): Paths {
  return { isExclusive: false, judges: ['invariant'], begin: () => toyPath(steps, never) }
}

function toyPath(steps: readonly number[], never: readonly number[] | undefined): Path {
  const taken: Decision[] = []
  const made = (): readonly number[] =>
    steps.map((_, process) => taken.filter((one) => one.process === `p${process}`).length)
  const events: Event[] = []
  const violations: (Violation | undefined)[] = []
  return {
    enabled: () =>
      made().flatMap((count, process) =>
        count < (steps[process] ?? 0) ? [{ kind: 'step' as const, process: `p${process}` }] : [],
      ),
    take(decision) {
      const { process } = decision
      const index = taken.filter((one) => one.process === process).length
      taken.push(decision)
      events.push({ kind: 'choose', process, index, option: 0, options: 1, value: index + 1 })
      const isBroken = never !== undefined && made().join() === never.join()
      const message = `${process} made step ${index + 1}`
      violations.push(isBroken ? { kind: 'invariant', property: 'never', message, process } : undefined)
      return events.slice(-1)
    },
    back() {
      taken.pop()
      events.pop()
      violations.pop()
    },
    key: () => made().join(),
    events: () => events,
    violations: () => violations.filter((one) => one !== undefined),
    shown: () => made().map((count, process) => ({ process: `p${process}`, state: count })),
    ending: () => ({
      processes: steps.map((_, process) => ({
        id: `p${process}`,
        daemon: false,
        status: 'returned' as const,
        value: undefined,
      })),
    }),
    isBlocked: () => false,
  }
}
