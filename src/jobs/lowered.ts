/** What the lowering's output calls (`allways/jobs`). */
export { call } from './activity.ts'
export {
  arrow,
  generatorMethods,
  keep,
  kept,
  methods,
  recursive,
  recursiveGenerator,
  value,
  wrapped,
  wrappedGenerator,
  yielded,
} from './async-functions.ts'
export { generate } from './async-generator.ts'
export { awaitLoop, delegate } from './async-iteration.ts'
export { disposals } from './disposal.ts'
export { refuse } from './refusals.ts'
