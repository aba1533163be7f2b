/** What an async process cannot do, in the words of diagnostics. */

import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { isNativePromise } from '../../core/native-promise.ts'
import { mistake, running } from '../../core/running.ts'
import { unheeded } from '../../core/unheeded.ts'

/** Nobody would run what is behind such a promise, or the generator, during the execution. */
export function refuseForeign(awaited: object): void {
  if (isNativePromise(awaited)) {
    unheeded(awaited)
    mistake({
      code: 'E208',
      message: 'awaited a promise that the check does not control',
      hint: 'it comes from code that allways did not load, as of import(…) with a name that is computed or of promisify(…), or from before the check: import at the head of the file, write new Promise((resolve, reject) => …) around a callback, or replace a package by standIn(…) of allways/services',
    })
  }
  if (Object.prototype.toString.call(awaited) === '[object Generator]') {
    mistake({
      code: 'E208',
      message: 'awaited a generator, which would never run',
      hint: 'make the function you call async, or use yield* in a generator instead of await',
    })
  }
}

export function refuseJobs(): never {
  return unplaced({
    code: 'E202',
    message: `process "${running.process}" does one job after the other without an operation`,
    hint: 'a promise or microtask begins the next one for ever: wait with receive() in between, or bound it',
  })
}

export function refuseTimers(): never {
  return unplaced({
    code: 'E202',
    message: `process "${running.process}" only lets timers fire, one after the other, for ever`,
    hint: 'clear the interval, or wait with receive() as well',
  })
}

/** Asked from between two pieces of code of the program: what is on the stack is not the program's. */
function unplaced(diagnostic: Diagnostic): never {
  running.mistake ??= diagnostic
  throw new DiagnosticError(diagnostic)
}
