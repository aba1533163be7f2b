/** Every engine by name; the only file that knows them all. */
import { dpor } from './dpor/dpor.ts'
import type { Engine } from './engine.ts'
import { exhaustive } from './exhaustive/exhaustive.ts'
import { pct } from './random/pct.ts'
import { random } from './random/random.ts'

export const engines: readonly Engine[] = [dpor, exhaustive, random, pct]

export function findEngine(name: string): Engine | undefined {
  return engines.find((engine) => engine.name === name)
}
