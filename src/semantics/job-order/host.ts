/** The globals of the host's that code in job order has of its own. Clocks are not among them: they are refused, as in classes. */
import { type AsyncHost, mistake } from '../../core/running.ts'
import { hostGlobal } from '../../jobs/host/globals.ts'
import type { Loop } from '../../jobs/loop.ts'
import { call } from '../../jobs/lowered.ts'
import { promiseOf } from '../../jobs/promise-core.ts'

/** Nothing of it performs operations: there are no processes that messages could be sent to. */
export function hostOf(loop: Loop): AsyncHost {
  return {
    called: [],
    awaited: noOperations,
    call,
    jobs: loop,
    promised: promiseOf,
    promiseOf: noOperations,
    limit: noOperations,
    processOf: () => undefined,
    leave: () => {},
    global: hostGlobal,
  }
}

function noOperations(): never {
  return mistake({
    code: 'E227',
    message: 'operations of processes do nothing in a class',
    hint: 'a class is checked by calls of its methods: leave them out, or check a program',
  })
}
