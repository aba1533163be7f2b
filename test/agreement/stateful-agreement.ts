/** Compares the stateful engine with its oracle on generated programs, under every setting; and a soak without an end. */
import { Random } from '../../src/core/random.ts'
import type { StatefulSetting } from '../stateful-setting.ts'
import { generateShared } from './stateful-generate.ts'
import { type Found, found, type Truth, truthOf } from './stateful-oracle.ts'
import type { Instruction, ProgramText } from './stateful-program.ts'
import { GeneratedView } from './stateful-view.ts'

export interface StatefulTally {
  programs: number
  dropped: number
  cyclic: number
  deadlocking: number
  /** Programs with more than one final state: the others say little. */
  branching: number
  stateless: number
  /** States met in all programs together, by reduction (with safe sets, sequential order). */
  readonly states: { none: number; safe: number; eager: number; lazy: number }
}

export function newTally(): StatefulTally {
  const states = { none: 0, safe: 0, eager: 0, lazy: 0 }
  return { programs: 0, dropped: 0, cyclic: 0, deadlocking: 0, branching: 0, stateless: 0, states }
}

const stateLimit = 1_500
const pathLimit = 500

/** Compares one program; the text of a disagreement, made as small as possible, if there is one. */
export function compareShared(seed: number, tally: StatefulTally): string | undefined {
  const text = generateShared(seed)
  tally.programs++
  if (problemOf(text, seed, tally) === undefined) return undefined
  const small = smallest(text, (smaller) => problemOf(smaller, seed, newTally()) !== undefined)
  return `${problemOf(small, seed, newTally())}\n${printed(small)}`
}

/** Yields after every program; returns the text of a disagreement, if there is one. */
export function* soakStateful(options: {
  readonly programs: number
  readonly seed: number
}): Generator<StatefulTally, string | undefined> {
  const tally = newTally()
  while (tally.programs < options.programs) {
    // Far apart, so that soaks with neighbouring seeds draw different programs.
    const problem = compareShared(options.seed * 10_000_019 + tally.programs, tally)
    if (problem !== undefined) return problem
    yield tally
  }
  return undefined
}

const usual: StatefulSetting = { reduction: 'lazy', static: true, stateless: false, order: 'sequential' }

function problemOf(text: ProgramText, seed: number, tally: StatefulTally): string | undefined {
  const view = new GeneratedView(text)
  const truth = truthOf(view, stateLimit)
  if (truth === undefined) {
    tally.dropped++
    return undefined
  }
  if (truth.cyclic) tally.cyclic++
  if (truth.finals.size > 1) tally.branching++
  if ([...truth.finals.values()].some((violation) => violation?.includes('deadlock'))) tally.deadlocking++
  if (truth.paths <= pathLimit) tally.stateless++
  const states = new Map<string, number>()
  for (const setting of settings(seed, truth.paths <= pathLimit, text.bodies.length)) {
    const search = found(view, setting, seed)
    const problem = difference(truth, search, setting)
    if (problem !== undefined) return `${JSON.stringify(setting)}: ${problem}`
    if (setting.static && setting.order === 'sequential' && !setting.stateless && setting.permutation === undefined)
      tally.states[setting.reduction] += search.counts.states
    states.set(JSON.stringify(setting), search.counts.states)
  }
  return unequalReductions(states)
}

function settings(seed: number, stateless: boolean, processes: number): readonly StatefulSetting[] {
  const random = new Random(seed)
  const permutation = random.shuffle(Array.from({ length: processes }, (_, process) => process))
  const reductions = ['safe', 'eager', 'lazy'] as const
  const full = { ...usual, reduction: 'none' } as const
  const remembering = reductions.flatMap((reduction) =>
    [true, false].flatMap((isStatic) => [
      { ...usual, reduction, static: isStatic },
      { ...usual, reduction, static: isStatic, permutation },
      { ...usual, reduction, static: isStatic, order: 'random' as const },
    ]),
  )
  const forgetting = [full, ...remembering].map((setting) => ({ ...setting, stateless: true }))
  return [full, ...remembering, ...(stateless ? forgetting : [])]
}

function difference(truth: Truth, search: Found, setting: StatefulSetting): string | undefined {
  if (search.problem !== undefined) return search.problem
  for (const [key, violation] of truth.finals) {
    if (!search.finals.has(key)) return `misses the final state ${key}`
    if (search.finals.get(key) !== violation)
      return `reports ${search.finals.get(key)} instead of ${violation} at ${key}`
  }
  for (const key of search.finals.keys()) if (!truth.finals.has(key)) return `invents the final state ${key}`
  const { states, transitions } = search.counts
  if (setting.stateless) return undefined
  if (setting.reduction === 'none' && (states !== truth.states || transitions !== truth.transitions))
    return `explores ${states} states and ${transitions} transitions of ${truth.states} and ${truth.transitions}`
  return states > truth.states ? `explores ${states} states of ${truth.states}` : undefined
}

/** Eager and lazy find the same sets in different ways, so they go the same ways. */
function unequalReductions(states: ReadonlyMap<string, number>): string | undefined {
  for (const [setting, count] of states) {
    const other = states.get(setting.replace('"eager"', '"lazy"'))
    if (setting.includes('"eager"') && !setting.includes('random') && other !== count)
      return `${setting}: eager explores ${count} states and lazy ${other}`
  }
  return undefined
}

/** Leaves out what is not needed for the disagreement: whole processes, then single instructions. */
function smallest(text: ProgramText, fails: (smaller: ProgramText) => boolean): ProgramText {
  let best = text
  for (let shrunk = true; shrunk; ) {
    shrunk = false
    for (const smaller of shrinks(best)) {
      if (!fails(smaller)) continue
      best = smaller
      shrunk = true
      break
    }
  }
  return best
}

function* shrinks(text: ProgramText): Generator<ProgramText> {
  for (const [process, body] of text.bodies.entries()) {
    for (const [at] of body.entries()) {
      const shorter = body
        .filter((_, other) => other !== at)
        .map((each) => (each.kind === 'jump' && each.to > at ? { ...each, to: each.to - 1 } : each))
      if (shorter.length === 0 && text.later.includes(process)) continue
      yield { ...text, bodies: text.bodies.map((other, which) => (which === process ? shorter : other)) }
    }
  }
}

function printed({ name, bodies, later }: ProgramText): string {
  const lines = bodies.flatMap((body, process) => [
    `p${process}${later.includes(process) ? ' (begun later)' : ''}`,
    ...body.map((instruction: Instruction, at) => `  ${at} ${JSON.stringify(instruction)}`),
  ])
  return [name, ...lines].join('\n')
}
