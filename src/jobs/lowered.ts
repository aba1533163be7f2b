/** What the lowering's output calls (`allways/jobs`). */
import { call } from './activity.ts'
import { LoweredFunctions } from './async-functions.ts'
import { generate } from './async-generator.ts'

export { call } from './activity.ts'
export { keep, kept, value, yielded } from './async-functions.ts'
export { generate } from './async-generator.ts'
export { awaitLoop, delegate } from './async-iteration.ts'
export { disposals } from './disposal.ts'
export { refuse } from './refusals.ts'
export const {
  arrow,
  declared,
  declaredGenerator,
  generatorMethods,
  methods,
  read,
  readGenerator,
  recursive,
  recursiveGenerator,
  wrapped,
  wrappedGenerator,
} = new LoweredFunctions({ call, generate })
