/** Errors to plant in promises, queues and the lowering, each with programs that show it: the details that equality with Node needs. */
import type { Change } from './bundle.ts'
import type { Kind } from './generate.ts'

export interface Planted extends Change {
  readonly what: string
  readonly shownBy: Kind
}

const core = 'jobs/promise-core.ts'
const generator = 'jobs/async-generator.ts'
const iteration = 'jobs/async-iteration.ts'
const rewriter = 'frontends/typescript/jobs/function-rewriter.ts'

export const planted: readonly Planted[] = [
  {
    what: 'await wraps promises as well',
    file: 'jobs/activity.ts',
    from: 'this.awaited = promiseOf(value)',
    to: 'this.awaited = pendingPromise(); core.resolve(this.awaited, value)',
    shownBy: 'mixed',
  },
  {
    what: 'await takes an instance of a subclass as it is',
    file: core,
    from: 'core.isPromise(value) && value.constructor === ControlledPromise',
    to: 'core.isPromise(value)',
    shownBy: 'mixed',
  },
  {
    what: 'an async function waits for what it returns itself',
    file: 'jobs/activity.ts',
    from: 'core.resolve(this.promise, result.value)',
    to: 'promiseOf(result.value).then((v) => core.resolve(this.promise, v), (e) => core.reject(this.promise, e))',
    shownBy: 'mixed',
  },
  {
    what: 'resolving with a promise of ours needs no job',
    file: core,
    from: 'currentLoop.microtasks.push(job)',
    to: 'if (core.isPromise(value)) job.run(); else currentLoop.microtasks.push(job)',
    shownBy: 'mixed',
  },
  {
    what: 'then of a thenable is called at once',
    file: core,
    from: 'currentLoop.microtasks.push(job)',
    to: 'if (core.isPromise(value)) currentLoop.microtasks.push(job); else job.run()',
    shownBy: 'mixed',
  },
  {
    what: 'then of a thenable is read in the job',
    file: core,
    from: 'then as Callback))',
    to: 'value.then as Callback))',
    shownBy: 'mixed',
  },
  {
    what: 'a derived promise is resolved a job later',
    file: core,
    from: 'settleDerived(this.#derived, true, result)',
    to: 'currentLoop.microtasks.push(new CallJob(() => settleDerived(this.#derived, true, result)))',
    shownBy: 'mixed',
  },
  {
    what: 'finally does not wait for its callback',
    file: core,
    from: '(value) => invokeOn(resolvedWith(species, onFinally()), () => value)',
    to: '(value) => { onFinally(); return value }',
    shownBy: 'mixed',
  },
  {
    what: 'then ignores the species',
    file: core,
    from: 'const derived = species === promiseClass ?',
    to: 'const derived = species ?',
    shownBy: 'mixed',
  },
  {
    what: 'a promise is settled by the first pair of functions again',
    file: core,
    from: 'if (ControlledPromise.#isAt(generation, promise)) ControlledPromise.#resolve',
    to: 'if (promise.#state === "pending") ControlledPromise.#resolve',
    shownBy: 'mixed',
  },
  {
    what: 'a combination asks its elements for no public then',
    file: 'jobs/combinations.ts',
    from: 'react(next, ...callbacks(combination))',
    to: '(Object.hasOwn(factory, Symbol.species) ? factory : Object.getPrototypeOf(factory)).prototype.then.call(next, ...callbacks(combination))',
    shownBy: 'mixed',
  },
  {
    what: 'a combination resolves its elements itself',
    file: 'jobs/combinations.ts',
    from: 'Reflect.apply(resolve, factory, [element])',
    to: '{ then: (a, b) => new factory((r) => r(element)).then(a, b) }',
    shownBy: 'mixed',
  },
  {
    what: 'return in an async generator is not awaited in the body',
    file: rewriter,
    from: `this.#edits.before(node.argument.start, \`(\${awaited()}\`)`,
    to: "this.#edits.before(node.argument.start, '((')",
    shownBy: 'generators',
  },
  {
    what: 'yield does not await',
    file: rewriter,
    from: `this.#edits.helper('yielded')}(\${awaited()}\``,
    to: "this.#edits.helper('yielded')}((`",
    shownBy: 'generators',
  },
  {
    what: 'return(value) at a yield does not await the value',
    file: generator,
    from: "if (kind !== 'return') return this.#resume(kind, value)",
    to: 'if (kind) return this.#resume(kind, value)',
    shownBy: 'generators',
  },
  {
    what: 'return(value) at the end does not await the value',
    file: generator,
    from: "if (request.kind === 'return') {",
    to: "if (request.kind === 'return') { this.#answer(true, { value: request.value, done: true }); continue;",
    shownBy: 'generators',
  },
  {
    what: 'the next request is taken up a job later',
    file: generator,
    from: 'else this.#take(this.#first)',
    to: 'else { const { kind, value } = this.#first; this.#phase = "return"; if (kind === "return") this.#take(this.#first); else if (kind === "next") { this.#phase = "body"; this.await(value) } else this.#take(this.#first) }',
    shownBy: 'generators',
  },
  {
    what: 'throw() before the beginning does not end it',
    file: generator,
    from: "if (kind !== 'return') this.#state = 'completed'",
    to: '',
    shownBy: 'generators',
  },
  {
    what: 'yield* awaits the inner value',
    file: iteration,
    from: 'received = (yield new Yielded((result as { readonly value?: unknown }).value, true)) as Received',
    to: 'received = (yield new Yielded(yield (result as any).value, true)) as Received',
    shownBy: 'generators',
  },
  {
    what: 'for await does not wait for the values of a sync iterator',
    file: iteration,
    from: 'isClosed = closes && !isDone && dialect.closesSyncIterators',
    to: 'isClosed = false; if (!core.isPromise(value)) { core.resolve(promise, { value, done: isDone }); return promise }',
    shownBy: 'generators',
  },
  {
    what: 'an error of next closes the iterator',
    file: iteration,
    from: '    this.#isDue = false\n    return called(',
    to: '    return called(',
    shownBy: 'generators',
  },
  {
    what: 'an error of closing replaces one of the body',
    file: iteration,
    from: 'if (!this.#hasFailed) throw error\n',
    to: 'throw error\n',
    shownBy: 'generators',
  },
  {
    what: 'the other version of Node',
    file: 'jobs/dialect.ts',
    from: 'closesSyncIterators: closesAfter',
    to: 'closesSyncIterators: !closesAfter',
    shownBy: 'generators',
  },
  {
    what: 'microtasks come between ticks',
    file: 'jobs/loop.ts',
    from: 'left = this.#drainQueue(this.ticks, left)\n',
    to: 'const tick = this.ticks.take(); if (tick !== undefined) this.#run(tick)\n',
    shownBy: 'mixed',
  },
  {
    what: 'microtasks come before ticks everywhere',
    file: 'jobs/loop.ts',
    from: "if (first === 'microtasks') left",
    to: 'left',
    shownBy: 'mixed',
  },
  {
    what: 'ticks come before microtasks everywhere',
    file: 'jobs/loop.ts',
    from: "if (first === 'microtasks') left",
    to: 'if (left < 0) left',
    shownBy: 'mixed',
  },
  {
    what: 'rejections are told although they were handled in time',
    file: 'jobs/rejections.ts',
    from: 'if (one.isHandled) continue',
    to: '',
    shownBy: 'mixed',
  },
  {
    what: 'rejections are told before the microtasks',
    file: 'jobs/loop.ts',
    from: '      left = this.#drainQueue(this.microtasks, left)\n    } while',
    to: '      this.#rejections.tell(this.owner); left = this.#drainQueue(this.microtasks, left)\n    } while',
    shownBy: 'mixed',
  },
]
