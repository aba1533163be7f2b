/** A configuration in the middle of a proof, with what the rules have to remember between steps. */
import type { Count, IcetProcess, Literal } from '../../program/icet.ts'
import { boundsOf } from './bounds.ts'
import type { Kinds, Reliance } from './candidates.ts'
import { Configuration, isAtLeast, type Lost, type Party } from './configuration.ts'
import { decide, learn, type Truth } from './knowledge.ts'
import { start } from './position.ts'
import type { StaticFacts } from './static-facts.ts'
import { constant, keyOf, type Value } from './value.ts'

/** An assertion that constants alone do not decide, and what is known where it stands. */
export interface Obligation {
  readonly statement: number
  readonly process: string
  readonly condition: Value
  readonly truths: readonly Truth[]
  readonly domains: ReadonlyMap<number, readonly Literal[]>
  /** Symbols that are whole numbers from 0 to below the count. */
  readonly indices?: ReadonlyMap<number, Count>
  /** How many members sets have, whose indices are below that. */
  readonly sets?: ReadonlyMap<string, Count>
  /** What the source calls values that are not known, as seen from the process. */
  readonly names: ReadonlyMap<number, string>
  /** Values that are not followed to here: an execution need not have what they may be. */
  readonly lost?: ReadonlyMap<number, Lost>
  /** How often the loops around it run, at least once. */
  readonly rounds?: readonly Count[]
}

interface Taken {
  readonly from: string
  readonly to: string
  readonly kinds: Kinds
}

interface OpenLoop {
  readonly count: Count | undefined
  readonly over: string | undefined
}

/** Rules change it in place and leave it half changed when they refuse: `copy` first if it is needed again. */
export class State {
  readonly facts: StaticFacts
  configuration: Configuration
  /** Receives since the iteration began that relied on who can send to them. */
  reliances: Reliance[] = []
  /** What was taken from where since the iteration began. */
  taken: Taken[] = []
  /** Not a condition of the proof: they are reported, and an SMT solver is asked about them. */
  obligations: Obligation[] = []
  /** Iterations that are being proved, outermost first. */
  loops: readonly OpenLoop[] = []
  /** A process has failed: with the obligation that it does not, this is where no execution comes. */
  isExcluded = false

  constructor(facts: StaticFacts, configuration: Configuration) {
    this.facts = facts
    this.configuration = configuration
  }

  copy(): State {
    const state = new State(this.facts, new Configuration(this.configuration))
    state.reliances = [...this.reliances]
    state.taken = [...this.taken]
    state.obligations = [...this.obligations]
    state.loops = this.loops
    state.isExcluded = this.isExcluded
    return state
  }

  /** For one iteration of a loop. */
  inside(loop: OpenLoop): State {
    const state = new State(this.facts, new Configuration(this.configuration))
    state.loops = [...this.loops, loop]
    return state
  }

  /** What an iteration relied on, the iterations around it rely on too. */
  include(inner: State): void {
    this.reliances.push(...inner.reliances)
    this.obligations.push(...inner.obligations)
    this.taken.push(...inner.taken)
  }

  /** Whether the set is known to have members: its size has a lower bound, or one of at most so many iterations runs. */
  hasMembers({ count }: IcetProcess): boolean {
    if (count === undefined) return false
    if (this.loops.some((loop) => loop.count !== undefined && isAtLeast(count, loop.count))) return true
    return boundsOf(count, this.configuration, this.facts.icet).least > 0
  }
}

export function initialState(facts: StaticFacts): State {
  const configuration = new Configuration()
  for (const process of facts.icet.processes) {
    const party: Party = {
      id: process.name,
      process,
      form: process.count === undefined ? 'one' : 'set',
      position: start(process.body),
      store: new Map(),
      isFree: false,
      bornAt: 0,
      isEmpty: false,
    }
    configuration.parties.set(process.name, party)
    configuration.update(process.name, {})
  }
  return new State(facts, configuration)
}

/** From now on the condition holds, or does not; false if that cannot be. */
export function assume(configuration: Configuration, condition: Value, holds: boolean): boolean {
  const decided = decide(condition, configuration)
  if (decided !== undefined) return decided === holds
  const learned = learn(condition, holds)
  for (const [truth, isTrue] of learned.truths) {
    configuration.truths = new Map([...configuration.truths, [keyOf(truth), { condition: truth, holds: isTrue }]])
    if (truth.kind === 'symbol' && !restrict(configuration, truth.id, (value) => Boolean(value) === isTrue))
      return false
  }
  for (const [symbol, excluded] of learned.isNot) {
    if (!restrict(configuration, symbol, (value) => value !== excluded)) return false
  }
  for (const [symbol, value] of learned.is) {
    const domain = configuration.domains.get(symbol)
    if (domain !== undefined && !(value.kind === 'constant' && domain.includes(value.value))) return false
    const isZero = value.kind === 'constant' && value.value === 0
    if (isZero) restrict(configuration, symbol, (option) => option === 0)
    else configuration.substitute((leaf) => (leaf.kind === 'symbol' && leaf.id === symbol ? value : leaf))
  }
  return true
}

/** Leaves the constants a symbol may still be; if it is one, the symbol is replaced by it. */
function restrict(configuration: Configuration, symbol: number, isPossible: (value: Literal) => boolean): boolean {
  const domain = configuration.domains.get(symbol)
  if (domain === undefined) return true
  const left = domain.filter(isPossible)
  configuration.domains = new Map([...configuration.domains, [symbol, left]])
  const [only] = left
  if (left.length === 1) {
    configuration.substitute((leaf) => (leaf.kind === 'symbol' && leaf.id === symbol ? constant(only) : leaf))
  }
  return left.length > 0
}
