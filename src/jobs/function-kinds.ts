/**
 * What programs see that a lowered function is (ECMA-262 §27.3, §27.7): its constructor, what it inherits from, how it is shown. A function
 * is async for the language if it was written so, and no other function can become it: that is told of those that were.
 */
import { becomeLowered, type LoweredKind } from '../core/lowered-function.ts'
import { asyncGeneratorFunction } from './async-generator.ts'

const asyncFunction = Object.getPrototypeOf(async () => {}) as object

const generatorFunction = Object.getPrototypeOf(function* () {}) as object

export function becomeAsync<Callable extends object>(callable: Callable): Callable {
  return become(callable, 'async', asyncFunction)
}

export function becomeAsyncGenerator<Callable extends object>(callable: Callable): Callable {
  return become(callable, 'async generator', asyncGeneratorFunction)
}

/** Where generators are lowered as well. */
export function becomeGenerator<Callable extends object>(callable: Callable): Callable {
  return become(callable, 'generator', generatorFunction)
}

/** Where all functions are lowered. */
export function becomeFunction<Callable extends object>(callable: Callable): Callable {
  becomeLowered(callable, 'function')
  return callable
}

function become<Callable extends object>(callable: Callable, kind: LoweredKind, prototype: object): Callable {
  Object.setPrototypeOf(callable, prototype)
  becomeLowered(callable, kind)
  return callable
}
