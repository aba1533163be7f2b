/** What a program may be found to do, one execution after the other, with classes in place of values and with values. */
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Abstraction } from '../../../src/ir/abstraction/abstraction.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import type { Path } from '../../../src/program/path.ts'
import { irPaths } from '../../../src/semantics/ir/paths.ts'
import type { KeyProgram } from './abstraction-generate.ts'
import { settingOf } from './explored.ts'
import { readProgram } from './read.ts'

export function loweredFrom({ text }: KeyProgram): Ir {
  const read = readProgram(text)
  if ('problems' in read) throw new Error(`${read.problems.join('; ')}\n${text}`)
  const [test] = read.checked.tests
  if (test === undefined) throw new Error('there is no test')
  return lower(read.checked, test)
}

/** One key of its own, and all others. */
export function abstractionOf({ form }: KeyProgram): Abstraction {
  const [many, one] = form === 'enum' ? [[1, 2], [0]] : []
  const others = { name: 'others', isOne: false, elements: many }
  const key = { name: 'key', isOne: true, elements: one }
  // Variables begin with the least element of an enum, and otherwise with one of many.
  const classes = form === 'enum' ? [key, others] : [others, key]
  const functions = new Map([
    ['theKey', [classes.indexOf(key)]],
    ['otherKey', [classes.indexOf(others)]],
    ['anyKey', [0, 1]],
  ])
  return { type: 'Key', classes, functions }
}

/** What was told at the end of executions, and what went wrong where; undefined if there are too many executions. */
export function outcomesOf(ir: Ir, mostSteps: number): ReadonlySet<string> | undefined {
  const path = irPaths(ir, settingOf('sender-queue')).begin()
  const found = new Set<string>()
  let steps = 0
  const walk = (): boolean => {
    const enabled = path.enabled()
    const [violation] = path.violations()
    if (violation !== undefined || enabled.length === 0) {
      const { kind, place } = violation ?? {}
      found.add(`${toldBy(path)} ${violation === undefined ? '' : `${kind} ${place?.line}:${place?.column}`}`)
      return true
    }
    // One machine moves at a time: what is chosen is all that there is.
    const choices = enabled.filter((one) => one.kind === 'choose')
    for (const decision of choices.length > 0 ? choices : enabled.slice(0, 1)) {
      if (++steps > mostSteps) return false
      path.take(decision)
      if (!walk()) return false
      path.back()
    }
    return true
  }
  return walk() ? found : undefined
}

function toldBy(path: Path): string {
  const store = path.shown().find(({ process }) => process.startsWith('Store'))
  const { told } = (store?.state ?? {}) as { readonly told?: unknown }
  return JSON.stringify(told)
}
