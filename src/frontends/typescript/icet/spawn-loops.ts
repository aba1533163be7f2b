/** Processes that a counted loop spawns one by one, perhaps into a list: a set of them, as `spawnAll` makes it. */
import type { Binding } from '../access/bindings.ts'
import type { Counting, ForLoop } from './counting.ts'
import { refuseNegative } from './counts.ts'
import { spawnIn } from './spawn-shape.ts'
import { spawnEach } from './spawns.ts'
import type { Translator } from './translator.ts'

/** True if the loop only spawns: then it has been translated. */
export function spawnLoop(
  translator: Translator,
  node: ForLoop,
  { identifier, start, step, count, bound }: Counting,
): boolean {
  const { frame } = translator
  const spawned = spawnIn(frame.module, node)
  const isPlain = start.kind === 'literal' && start.value === 0 && step === 1
  if (spawned === undefined || !isPlain) return false
  const { call, list } = spawned
  if (list !== undefined && !isEmpty(translator, list)) return false
  // The set has as many members as the loop has rounds by its test, so none may be cut off.
  if (count.kind === 'parameter') refuseNegative(translator, bound, { parameter: count.name, number: count.plus ?? 0 })
  const set = spawnEach(translator, call, count, identifier)
  if (list !== undefined) frame.set(list, set)
  return true
}

function isEmpty({ frame }: Translator, list: Binding): boolean {
  const meaning = frame.get(list)
  return meaning?.kind === 'list' && meaning.elements.length === 0
}
