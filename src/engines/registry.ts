/** Every engine by name; the only file that knows them all. */
import { invariant } from '../core/invariant.ts'
import { dpor } from './dpor/dpor.ts'
import type { Engine } from './engine.ts'
import { exhaustive } from './exhaustive/exhaustive.ts'
import { histories } from './histories/histories.ts'
import { local } from './local/local.ts'
import { pct } from './random/pct.ts'
import { random } from './random/random.ts'
import { sequentialization } from './sequentialize/engine.ts'
import { stateful } from './stateful/stateful.ts'

const registered: Engine[] = [dpor, exhaustive, random, pct, stateful, local, sequentialization, histories]

export const engines: readonly Engine[] = registered

/** Adds an engine from elsewhere: its options become flags, and everything else treats it as one of ours. */
export function registerEngine(engine: Engine): void {
  invariant(findEngine(engine.name) === undefined, `there is one engine "${engine.name}"`)
  registered.push(engine)
}

export function findEngine(name: string): Engine | undefined {
  return engines.find((engine) => engine.name === name)
}
