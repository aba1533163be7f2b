/** Errors to plant in job order, each of which generated classes show. */
import type { Change } from '../jobs/bundle.ts'

const run = 'semantics/job-order/job-run.ts'

export const plantedInOrders: readonly (Change & { readonly what: string })[] = [
  {
    what: 'jobs come before all processes have started',
    file: run,
    from: 'if (isLast) this.#loop.turn(start)',
    to: 'if (true) this.#loop.turn(start)',
  },
  {
    what: 'a call is over a job later',
    file: run,
    from: 'const value = yield run.#operation(one.operation)(...args)',
    to: 'const value = yield run.#operation(one.operation)(...args); yield undefined',
  },
  {
    what: 'microtasks come before ticks',
    file: run,
    from: 'this.#loop.turn(start)',
    to: "this.#loop.turn(start, 'microtasks')",
  },
  {
    what: 'to say where an await stands takes a job',
    file: 'semantics/job-order/runtime.ts',
    from: '    return value\n',
    to: '    return { then: (done: (one: unknown) => void) => done(value) }\n',
  },
  {
    what: 'rejections that nobody handles end nothing',
    file: run,
    from: 'unhandledRejection: (reason) => ends(',
    to: 'unhandledRejection: (reason) => void (',
  },
]
