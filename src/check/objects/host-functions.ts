/** Functions of Node itself that are written in JavaScript: to their text they look like those of packages. */
import { builtinModules, createRequire } from 'node:module'
import { provideJob } from '../../semantics/memory/job-functions.ts'
import { isTrap, originalOf } from '../guard-traps.ts'
import { functionsOutside, loadedModules } from '../surroundings.ts'

/** Read when this is loaded: while a check runs, traps stand in the place of most. */
const timers = createRequire(import.meta.url)('node:timers/promises') as typeof import('node:timers/promises')
const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, queueMicrotask } =
  globalThis
const own = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, queueMicrotask }

for (const [name, callable] of Object.entries(own)) provideJob(name as keyof typeof own, callable as never)
provideJob('nextTick', process.nextTick as never)
provideJob('Date.now', Date.now as never)
provideJob('performance.now', performance.now as never)
provideJob('timers.setTimeout', timers.setTimeout as never)
provideJob('timers.setImmediate', timers.setImmediate as never)

let known: ReadonlySet<unknown> | undefined

export function isHostFunction(callable: unknown): boolean {
  if (isTrap(callable)) return true
  known ??= collected()
  return known.has(callable)
}

/** What a function of the host's is called that no check controls: neither what it does nor what it keeps can be taken back. */
export function outsideName(callable: unknown): string | undefined {
  if (typeof callable !== 'function') return undefined
  const original = originalOf(callable)
  return keeping.get(original) ?? outside(original)
}

let [outsideKnown, loadedThen]: [ReadonlyMap<unknown, string>, number] = [new Map(), 0]

/** Modules may be loaded at any time. */
function outside(original: unknown): string | undefined {
  const { length } = loadedModules()
  if (length !== loadedThen) {
    outsideKnown = new Map(functionsOutside().map(({ callable, shown }) => [originalOf(callable), shown]))
    loadedThen = length
  }
  return outsideKnown.get(original)
}

/** Classes of the host's that keep what no check sees. */
const keeping = keepers()

function keepers(): ReadonlyMap<unknown, string> {
  const require = createRequire(import.meta.url)
  const { AsyncLocalStorage, AsyncResource } = require('node:async_hooks') as typeof import('node:async_hooks')
  const found = new Map<unknown, string>()
  for (const [name, made] of Object.entries({
    AsyncLocalStorage,
    AsyncResource,
    EventTarget,
    MessagePort,
    BroadcastChannel,
  })) {
    for (const owner of [made, made.prototype as object]) {
      for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
        if (typeof value === 'function' && key !== 'constructor') found.set(value, `${name}.${key}`)
    }
  }
  return found
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
