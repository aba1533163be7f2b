/** Every engine by name; the only file that knows them all. */
import { dpor } from './dpor/dpor.ts'
import type { Engine } from './engine.ts'
import { exhaustive } from './exhaustive/exhaustive.ts'
import { local } from './local/local.ts'
import { pct } from './random/pct.ts'
import { random } from './random/random.ts'
import { stateful } from './stateful/stateful.ts'

export const engines: readonly Engine[] = [dpor, exhaustive, random, pct, stateful, local]

export function findEngine(name: string): Engine | undefined {
  return engines.find((engine) => engine.name === name)
}
