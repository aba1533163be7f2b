/** JavaScript hands any number of arguments to a function: one that nobody reads says something that is not heard. */
import { expect, test } from 'vitest'
import { DiagnosticError } from '../../../src/core/diagnostic.ts'
import { isClass } from '../../../src/core/option-shape.ts'
import * as allways from '../../../src/index.ts'
import * as services from '../../../src/model/services/services.ts'
import { Atomic } from '../../../src/model/shared/atomic.ts'
import { Barrier } from '../../../src/model/shared/barrier.ts'
import { Channel } from '../../../src/model/shared/channel.ts'
import { LockHandle } from '../../../src/model/shared/lock-handle.ts'
import { Mutex } from '../../../src/model/shared/mutex.ts'
import { Oneshot } from '../../../src/model/shared/oneshot.ts'
import { type Handle, handleOf } from '../../../src/model/shared/protocol.ts'
import { ReadWriteLock } from '../../../src/model/shared/read-write-lock.ts'
import { Semaphore } from '../../../src/model/shared/semaphore.ts'
import { Timer } from '../../../src/model/shared/timer.ts'
import * as sync from '../../../src/model/sync/sync.ts'
import * as controlled from '../../../src/semantics/memory/access.ts'

type Called = (...args: readonly unknown[]) => unknown
type HandleClass = new (id: string) => Handle

/** What follows the body is given to it. */
const variadic = ['spawn', 'spawnAll', 'cron']
class Counter {
  add(): void {}
}
/** Those that look at others first. */
const given: { readonly [name: string]: readonly unknown[] } = {
  linearizable: [Counter, { operations: { add: [] } }],
  check: [allways.program('p', function* () {})],
  checkResult: [allways.program('p', function* () {})],
  specification: ['s', { state: 0, operations: {} }],
  system: ['s', {}, () => ({ machines: {} })],
  program: ['p', {}, function* () {}],
  monitor: ['m', { observes: [] }, function* () {}],
  liveness: ['l', () => true],
  eventually: ['e', () => true],
  leadsTo: ['t', () => true, () => true],
}
const enough = 9

/** Calls it with something at a place that no parameter has. */
async function answer(called: Called, args: readonly unknown[] = []): Promise<string> {
  try {
    const result = await called(...Array.from({ length: enough }, (_, at) => args[at]), 'unheard')
    const { ok, diagnostics = [] } = Object(result) as { ok?: boolean; diagnostics?: readonly { message: string }[] }
    return ok === false ? diagnostics.map(({ message }) => message).join('\n') : 'accepted'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const functions = [allways, services].flatMap((all) =>
  Object.entries(all as object).filter(
    ([name, value]) => typeof value === 'function' && !isClass(value) && !variadic.includes(name) && name !== 'standIn',
  ),
)

test.each(functions)('%s refuses a further argument', async (name, called: Called) => {
  expect(await answer(called, given[name])).toMatch(/takes no further argument and got "unheard"/)
})

test('short forms end where the long ones go on', async () => {
  const build = () => ({ machines: {} })
  expect(() => (allways.system as Called)('s', build, {})).toThrow(/system\("s", parts\) takes no further argument/)
  const from = { from: new Mutex('m') }
  expect(() => (allways.receive as Called)(from, { within: 5 })).toThrow(/receive\({ from }\) takes no further/)
  const sequential = { name: 's', initial: 0, operations: ['w'], apply: () => ({ state: 0 }) }
  expect(() => (allways.specification as Called)(sequential, {})).toThrow(/takes no further argument/)
})

const { Cache, Cron, Database, Queue, BlobStore, Endpoint } = services
const handles = [Atomic, Barrier, Channel, Mutex, Oneshot, Semaphore, Timer, Cache, Cron, Database, BlobStore, Endpoint]
const { read, write } = handleOf(ReadWriteLock, 'rw')
const objects: readonly object[] = [
  ...handles.map((type) => handleOf(type as unknown as HandleClass, 'h')),
  read,
  write,
  Object.create(Queue.prototype) as object,
  (handleOf(Database as unknown as HandleClass, 'h') as services.Database).begin(),
]

const methods = objects.flatMap((object) => {
  const prototypes = [Object.getPrototypeOf(object) as object]
  if (object instanceof LockHandle) prototypes.push(LockHandle.prototype)
  const names = prototypes.flatMap((prototype) =>
    Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) =>
      typeof value === 'function' && name !== 'constructor' ? [name] : [],
    ),
  )
  return [...new Set(names)].map((name) => [object.constructor.name, name, object] as const)
})

test.each(methods)('%s: %s refuses a further argument', async (_, name, object) => {
  const called: Called = (...args) => Reflect.apply(Reflect.get(object, name) as Called, object, args)
  expect(await answer(called)).toMatch(/takes no further argument and got "unheard"/)
})

test('machines refuse a further argument of "as", and a mistake is thrown where it is made', () => {
  const node = allways.machine('node', { state: () => ({}) })
  expect(() => (node.as as Called)({}, 1)).toThrow(DiagnosticError)
  expect(() => (node.as as Called)({}, 1)).toThrow(/"as" of machine "node" takes no further argument and got 1/)
})

test.each(['Mutex', 'ReadWriteLock', 'Semaphore', 'Atomic'] as const)('new %s is as strict in production', (name) => {
  for (const from of [sync, controlled]) {
    const type = from[name] as unknown as new (...args: readonly unknown[]) => object
    const args = name === 'Semaphore' ? [1, {}] : name === 'Atomic' ? [1] : [{}]
    expect(() => new type(...args)).not.toThrow()
    expect(() => new type(...args, 5)).toThrow(new RegExp(`new ${name}\\(.*\\) takes no further argument and got 5`))
  }
})

test('methods are found', () => {
  expect(methods.length).toBeGreaterThan(45)
})
