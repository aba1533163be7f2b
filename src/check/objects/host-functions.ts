/** Functions of Node itself that are written in JavaScript: to their text they look like those of packages. */
import { builtinModules, createRequire } from 'node:module'
import { isTrap } from '../guard.ts'

let known: ReadonlySet<unknown> | undefined

export function isHostFunction(callable: unknown): boolean {
  if (isTrap(callable)) return true
  known ??= collected()
  return known.has(callable)
}

/** Those that warn when they are loaded, or start something. */
const left = /^(?:_|punycode|sys$|wasi|trace_events|inspector|test|domain|cluster|repl|v8|worker_threads|sqlite)/

/** As deep as functions lie: `path.posix.join`, `Buffer.prototype.slice`. */
const deepest = 3

function collected(): ReadonlySet<unknown> {
  const require = createRequire(import.meta.url)
  const found = new Set<unknown>()
  const visit = (value: unknown, depth: number): void => {
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
    if (!isObject || found.has(value)) return
    found.add(value)
    if (depth === 0) return
    for (const descriptor of Object.values(Object.getOwnPropertyDescriptors(value))) {
      for (const inner of [descriptor.value, descriptor.get, descriptor.set]) visit(inner, depth - 1)
    }
  }
  visit(globalThis, deepest)
  for (const name of builtinModules) if (!left.test(name)) visit(require(`node:${name}`), deepest)
  return found
}
