/** Every engine by name; the only file that knows them all. */
import { invariant } from '../core/invariant.ts'
import type { ViewName } from '../program/program.ts'
import { dpor } from './dpor/dpor.ts'
import { memoryDpor } from './dpor/memory.ts'
import type { Engine } from './engine.ts'
import { exhaustive } from './exhaustive/exhaustive.ts'
import { histories } from './histories/histories.ts'
import { local } from './local/local.ts'
import { logs } from './logs/logs.ts'
import { pct } from './random/pct.ts'
import { random } from './random/random.ts'
import { sequentialization } from './sequentialize/engine.ts'
import { statefulIr } from './stateful/ir/ir-search.ts'
import { statefulPaths } from './stateful/path-search.ts'
import { stateful } from './stateful/stateful.ts'
import { symbolic } from './symbolic/symbolic.ts'

/** An engine that explores several views has one entry for each, in the order they are preferred. */
const registered: Engine[] = [
  dpor,
  memoryDpor,
  exhaustive,
  random,
  pct,
  stateful,
  statefulIr,
  statefulPaths,
  symbolic,
  local,
  sequentialization,
  histories,
  logs,
]

export const engines: readonly Engine[] = registered

/** Adds an engine from elsewhere: its options become flags, and everything else treats it as one of ours. */
export function registerEngine(engine: Engine): void {
  invariant(findEngine(engine.name) === undefined, `there is one engine "${engine.name}"`)
  registered.push(engine)
}

/** The engine of that name for one of the views that can be had, or for another one if none can. */
export function findEngine(name: string, has: (view: ViewName) => boolean = () => true): Engine | undefined {
  const named = engines.filter((engine) => engine.name === name)
  return named.find(({ needs }) => has(needs)) ?? named[0]
}
