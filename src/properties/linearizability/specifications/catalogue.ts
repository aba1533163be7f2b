/** The built-in specifications by name. */
import type { Value } from '../../../core/value.ts'
import { showValue } from '../../../core/value-text.ts'
import type { BuiltInSpecificationName } from '../../../program/specification.ts'
import type { CallProblem, Specification } from '../specification.ts'
import { counter } from './counter.ts'
import { lock } from './lock.ts'
import { log } from './log.ts'
import { kv, map } from './map.ts'
import { multiRegister } from './multi-register.ts'
import { priorityQueue } from './priority-queue.ts'
import { queue } from './queue.ts'
import { casRegister, register } from './register.ts'
import { set } from './set.ts'
import { stack } from './stack.ts'

/** What may be said about a built-in specification beside its name. */
export interface SpecificationSetting {
  /** The initial state, in the form the specification describes; its own default if absent. */
  readonly initial?: Value
  /** For counters: what `increment`, `decrement` and `add` return. */
  readonly returns?: 'old' | 'new' | undefined
}

interface BuiltIn {
  /** What an initial state must look like; anything if absent. */
  readonly initial?: readonly [words: string, fits: (value: Value) => boolean]
  make(setting: SpecificationSetting): Specification
}

const aList = ['a list of values', (value: Value) => Array.isArray(value)] as const
const aRecord = ['an object', (value: Value) => typeof value === 'object' && !Array.isArray(value)] as const
const aNumber = ['a number', (value: Value) => typeof value === 'number'] as const
const aLock = ['"free" or "held"', (value: Value) => value === 'free' || value === 'held'] as const

const builtIn: { readonly [name in BuiltInSpecificationName]: BuiltIn } = {
  register: { make: ({ initial }) => register(initial) },
  'cas-register': { make: ({ initial }) => casRegister(initial) },
  counter: { initial: aNumber, make: ({ initial, returns }) => counter(initial as number | undefined, { returns }) },
  set: { initial: aList, make: ({ initial }) => set(initial) },
  'grow-only-set': { initial: aList, make: ({ initial }) => set(initial) },
  map: { initial: aRecord, make: ({ initial }) => map(initial) },
  kv: { make: ({ initial }) => kv(initial) },
  queue: { initial: aList, make: ({ initial }) => queue(initial) },
  stack: { initial: aList, make: ({ initial }) => stack(initial) },
  'priority-queue': { initial: aList, make: ({ initial }) => priorityQueue(initial) },
  lock: { initial: aLock, make: ({ initial }) => lock(initial) },
  mutex: { initial: aLock, make: ({ initial }) => lock(initial) },
  log: { initial: aList, make: ({ initial }) => log(initial) },
  'multi-register': { initial: aRecord, make: ({ initial }) => multiRegister(initial) },
}

export const specificationNames: readonly string[] = Object.keys(builtIn)

/** The built-in specification of this name, or what is wrong with what was asked for. */
export function builtInSpecification(name: string, setting: SpecificationSetting = {}): Specification | CallProblem {
  const found = Object.hasOwn(builtIn, name) ? builtIn[name as BuiltInSpecificationName] : undefined
  if (found === undefined) {
    return {
      message: `there is no specification ${showValue(name, 40)}`,
      hint: `there are ${specificationNames.join(', ')}`,
    }
  }
  const [words, fits] = found.initial ?? []
  if (setting.initial !== undefined && fits !== undefined && !fits(setting.initial)) {
    const message = `${showValue(setting.initial, 40)} cannot be the initial state of a ${name}`
    return { message, hint: `it must be ${words}` }
  }
  // Some are known by several names; what is said about them uses the one that was asked for.
  return { ...found.make(setting), name }
}
