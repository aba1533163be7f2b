/** The programs that symbolic search is measured with, small: in every way it finds what explicit search finds, and each mistake that was put in. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { optionsFrom } from '../../../src/core/options.ts'
import { dpor } from '../../../src/engines/dpor/dpor.ts'
import type { Engine } from '../../../src/engines/engine.ts'
import { statefulIr } from '../../../src/engines/stateful/ir/ir-search.ts'
import { symbolic } from '../../../src/engines/symbolic/symbolic.ts'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import type { Runnable } from '../../../src/program/program.ts'
import { ProgramViews } from '../../../src/semantics/derive.ts'
import { longIf } from '../../amount.ts'
import { expectRetaken, settingOf } from './explored.ts'
import { readProgram } from './read.ts'

const programs = [
  { file: 'corpus/p-counter/model.p', right: 'counter5', wrong: 'neverBelowZero' },
  { file: 'corpus/p-token-ring/model.p', right: 'three', wrong: 'rude' },
  { file: 'corpus/p-bounded-asynchrony/model.p', right: 'three', wrong: 'impatient', slow: 'rounds' },
  { file: 'corpus/p-two-phase-commit/model.p', right: 'twoClients', wrong: 'careless', slow: 'steps' },
  { file: 'bench/symbolic/last-zero.p', right: 'lastZero___size_2', wrong: 'hasty___size_2__isWrong_true' },
  { file: 'bench/symbolic/ring-election.p', right: 'ring___size_3', wrong: 'lax___size_3__isWrong_true' },
  { file: 'bench/p/hybrid-clock.p', right: 'clocks___most_2', wrong: 'forgetful___most_3__isWrong_true' },
  {
    file: 'bench/symbolic/ben-or.p',
    right: 'threeProcesses___size_3__rounds_1',
    wrong: 'hasty___size_3__rounds_2__isWrong_true',
  },
  { file: 'bench/symbolic/two-phase-backup.p', right: 'backup___size_2', wrong: 'forgetful___size_3__isWrong_true' },
  { file: 'bench/symbolic/streamlet.p', right: 'streamlet___epochs_2', wrong: 'unchained___epochs_5__isWrong_true' },
  {
    file: 'bench/symbolic/flexible-paxos.p',
    right: 'simple___size_2__ballots_2__first_2__second_2',
    wrong: 'disjoint___size_2__ballots_2__first_1__second_1',
  },
  {
    file: 'bench/symbolic/german.p',
    right: 'german___size_2__asks_2',
    wrong: 'ownerless___size_2__asks_4__isWrong_true',
  },
  {
    file: 'bench/symbolic/failure-detector.p',
    right: 'detector___size_1__rounds_1',
    wrong: 'insistent___size_1__rounds_2__isWrong_true',
  },
  { file: 'bench/symbolic/two-phase-commit.p', right: 'commit___size_2', wrong: 'lastVote___size_2__isWrong_true' },
  {
    file: 'bench/symbolic/commit-in-turns.p',
    right: 'few___size_1__clients_2__rounds_1__names_1__numbers_1',
    wrong: 'hasty___size_2__clients_1__rounds_1__names_1__numbers_1__isWrong_true',
  },
  {
    file: 'bench/symbolic/leaders-paxos.p',
    right: 'turns___size_1__leaders_2__most_1',
    wrong: 'careless___size_1__leaders_2__most_1__isWrong_true',
  },
  { file: 'bench/symbolic/voters.p', right: 'voters___size_3', wrong: 'agreed___size_3__isWrong_true', slow: 'steps' },
  { file: 'bench/symbolic/paxos.p', right: 'paxos___size_1', wrong: 'careless___size_1__isWrong_true' },
]

const several = ['counter', 'token-ring', 'last-zero', 'german', 'failure-detector', 'two-phase-commit', '/paxos.p']
const network = 'sender-queue'
const byHistory = [
  { mode: 'steps', order: 'above' },
  { mode: 'rounds', order: 'below' },
]

interface Found {
  readonly violations: readonly string[]
  readonly states: number
  readonly terminals: number
}

/** Everything, or up to the first violation. */
function found(engine: Engine<'ir'>, ir: Ir, options: { readonly [name: string]: string }, isAll = true): Found {
  const violations = new Set<string>()
  let counts: { readonly [name: string]: number } = {}
  for (const event of engine.explore({ program: ir, setting: settingOf(network) }, options)) {
    if (event.kind === 'diagnostic') throw new Error(event.diagnostic.message)
    if (event.kind === 'progress') counts = event.counts
    if (event.kind !== 'violation') continue
    expectRetaken(ir, network, event)
    violations.add(event.violation.message)
    if (!isAll) break
  }
  const { states = 0, executions = 0, terminals = executions } = counts
  return { violations: [...violations].sort(), states, terminals }
}

function programOf(file: string, name: string): Ir {
  const read = readProgram(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'))
  if ('problems' in read) throw new Error(read.problems.join('; '))
  const chosen = read.checked.tests.find((one) => one.name === name)
  if (chosen === undefined) throw new Error(`${file} has no test ${name}`)
  return lower(read.checked, chosen)
}

describe.each(programs)('$file, all executions at once', ({ file, right, wrong, slow }) => {
  // With one machine there is nothing to order.
  const isLarge = /two-phase|in-turns|leaders|german|streamlet|flexible|hybrid|failure|symbolic.paxos|voters/.test(file)
  const hasTraces = slow === undefined && several.some((name) => file.includes(name))

  test('has the states and ends of explicit search, and no violation', longIf(isLarge), () => {
    const ir = programOf(file, right)
    const explicit = found(statefulIr, ir, { reduction: 'none', search: 'depth' })
    expect(explicit.violations).toEqual([])
    expect(explicit.states).toBeGreaterThan(30)
    for (const order of ['above', 'below']) expect(found(symbolic, ir, { mode: 'states', order })).toEqual(explicit)
    for (const way of byHistory.filter(({ mode }) => mode !== slow))
      expect(found(symbolic, ir, way).violations, way.mode).toEqual([])
  })

  test.runIf(hasTraces)(
    'explores each order of messages once in rounds, as partial-order reduction does',
    longIf(isLarge),
    () => {
      const ir = programOf(file, right)
      const views = new ProgramViews({ views: { ir: (setting) => ({ program: ir, setting }) } }, settingOf(network))
      let executions = 0
      for (const event of dpor.explore(views.view('runnable') as Runnable, optionsFrom(dpor.options, {}))) {
        if (event.kind === 'diagnostic') throw new Error(event.diagnostic.message)
        if (event.kind === 'execution') executions++
      }
      expect(found(symbolic, ir, { mode: 'rounds', order: 'below' }).terminals).toBe(executions)
      expect(executions).toBeGreaterThan(1)
    },
  )

  test('finds the mistake that was put in', longIf(isLarge), () => {
    const ir = programOf(file, wrong)
    // With one machine, rounds are steps; monitors would see the order in them.
    const hasRounds = ir.machines.length > 1 && ir.machines.every(({ kind }) => kind !== 'monitor')
    const modes = hasRounds ? ['states', 'rounds'] : ['states']
    for (const mode of modes)
      expect(found(symbolic, ir, { mode, order: 'below' }, false).violations, mode).toHaveLength(1)
  })
})
