/**
 * Promises under control against those of Node: CPU time for so many jobs, as a multiple of native in the same run, alternating. Lowered code
 * is written here as the lowering writes it.
 */
import { call } from '../src/jobs/activity.ts'
import { enqueueMicrotask } from '../src/jobs/host/timers.ts'
import { Loop, setCurrentLoop } from '../src/jobs/loop.ts'
import { controlledPromise } from '../src/jobs/promise.ts'
import { secondsSince, table } from './measure.ts'

const jobs = process.argv.includes('--full') ? 3_000_000 : 1_000_000

interface Row {
  readonly title: string
  readonly native: () => unknown
  readonly controlled: () => unknown
}

/** As much of the class as both have. */
type Constructor = typeof controlledPromise

function chain(promises: Constructor): unknown {
  let left = jobs
  const again = (): void => {
    if (--left > 0) promises.resolve().then(again)
  }
  return promises.resolve().then(again)
}

function longChain(promises: Constructor): unknown {
  let last = promises.resolve() as ReturnType<Constructor['resolve']>
  for (let at = 0; at < jobs; at++) last = last.then(() => at) as typeof last
  return last
}

function executors(promises: Constructor): unknown {
  let last: unknown
  for (let at = 0; at < jobs; at++) {
    last = new promises((resolve) => resolve(at)).then(() => undefined)
  }
  return last
}

function combinations(promises: Constructor): unknown {
  const parts = Array.from({ length: 10 }, (_, at) => promises.resolve(at))
  let left = jobs / 10
  const again = (): unknown => (--left > 0 ? promises.all(parts).then(again) : undefined)
  return again()
}

function microtasks(enqueue: (callback: () => void) => void): unknown {
  let left = jobs
  const again = (): void => {
    if (--left > 0) enqueue(again)
  }
  enqueue(again)
  return undefined
}

async function nativeValues(): Promise<void> {
  for (let at = 0; at < jobs; at++) await at
}

function* loweredValues(): Generator<unknown, void, unknown> {
  for (let at = 0; at < jobs; at++) yield at
}

async function nativePromises(): Promise<void> {
  const settled = Promise.resolve(1)
  for (let at = 0; at < jobs; at++) await settled
}

function* loweredPromises(): Generator<unknown, void, unknown> {
  const settled = controlledPromise.resolve(1)
  for (let at = 0; at < jobs; at++) yield settled
}

async function nativeInner(value: number): Promise<number> {
  await value
  return value
}

async function nativeCalls(): Promise<void> {
  for (let at = 0; at < jobs / 3; at++) await nativeInner(at)
}

function* loweredInnerBody(value: number): Generator<unknown, number, unknown> {
  yield value
  return value
}

function loweredInner(this: unknown, _value: number): unknown {
  // biome-ignore lint/complexity/noArguments: as the lowering writes it
  return call(loweredInnerBody, this, arguments)
}

function* loweredCalls(): Generator<unknown, void, unknown> {
  for (let at = 0; at < jobs / 3; at++) yield loweredInner(at)
}

const native = Promise as unknown as Constructor
const rows: readonly Row[] = [
  row('await of a value', nativeValues, () => call(loweredValues, undefined, [])),
  row('await of a settled promise', nativePromises, () => call(loweredPromises, undefined, [])),
  row('await of an async call', nativeCalls, () => call(loweredCalls, undefined, [])),
  row(
    'then, one after the other',
    () => chain(native),
    () => chain(controlledPromise),
  ),
  row(
    'a chain of then',
    () => longChain(native),
    () => longChain(controlledPromise),
  ),
  row(
    'new Promise, resolve, then',
    () => executors(native),
    () => executors(controlledPromise),
  ),
  row(
    'Promise.all of 10',
    () => combinations(native),
    () => combinations(controlledPromise),
  ),
  row(
    'queueMicrotask',
    () => microtasks(queueMicrotask),
    () => microtasks(enqueueMicrotask),
  ),
]

function row(title: string, native_: () => unknown, controlled: () => unknown): Row {
  return { title, native: native_, controlled }
}

const loop = new Loop({
  unhandledRejection: () => {},
  rejectionHandled: () => {},
  uncaughtException: (error) => {
    throw error
  },
  foreignPromise: () => {},
  endlessJobs: () => {},
})
setCurrentLoop(loop)

/** Until Node has nothing left to do. */
async function nativeSeconds(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await new Promise<void>((resolve) => {
    setImmediate(run)
    setImmediate(resolve)
  })
  return secondsSince(before)
}

function controlledSeconds(run: () => unknown): number {
  const before = process.cpuUsage()
  loop.turn(() => void run())
  return secondsSince(before)
}

async function measured({ title, native, controlled }: Row): Promise<readonly string[]> {
  const [natively, under]: [number[], number[]] = [[], []]
  for (let again = 0; again < 4; again++) {
    natively.push(await nativeSeconds(native))
    under.push(controlledSeconds(controlled))
  }
  const [of, to] = [Math.min(...under), Math.min(...natively)]
  return [title, Math.round((of / jobs) * 1e9).toString(), `${(of / to).toFixed(2)}×`]
}

console.log(`\npromises: ${jobs.toLocaleString('en')} jobs under control, CPU time as a multiple of native\n`)
const found: (readonly string[])[] = []
for (const one of rows) found.push(await measured(one))
console.log(table(['', 'ns per job', 'to native'], found))
