/** Searches that remember fingerprints against exact ones, on programs of the corpus and on generated ones: the same counts and the same executions. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { NetworkName } from '../../../src/core/operation.ts'
import type { Counts } from '../../../src/core/verdict.ts'
import type { EngineEvent } from '../../../src/engines/engine.ts'
import { statefulIr } from '../../../src/engines/stateful/ir/ir-search.ts'
import { StateSpace } from '../../../src/engines/stateful/ir/space.ts'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { irRules } from '../../../src/semantics/ir/paths.ts'
import { amount, cut, isSlow } from '../../amount.ts'
import { readAnswers } from '../../corpus/answers.ts'
import { settingOf } from './explored.ts'
import { generatedProgram } from './generate.ts'
import { readProgram } from './read.ts'

const ways = [{}, { search: 'depth' }, { reduction: 'safe' }, { symmetry: true }] as const
const mostStates = amount({ quick: 100, rest: 3_000, all: 100_000 })
const programs = amount({ quick: 3, rest: 30, thorough: 60, all: 2_000 })
const networks = ['sender-queue', 'bag', 'fifo', 'mailbox'] as const

interface Found {
  readonly violations: readonly EngineEvent[]
  readonly counts: Counts
}

/** Undefined: there are too many states. */
function found(
  ir: Ir,
  network: NetworkName,
  options: { readonly [name: string]: string | boolean },
): Found | 'refused' | undefined {
  const violations: EngineEvent[] = []
  let counts: Counts = {}
  for (const event of statefulIr.explore({ program: ir, setting: settingOf(network) }, options)) {
    if (event.kind === 'diagnostic') return 'refused'
    if (event.kind === 'progress') counts = event.counts
    if ((counts.states ?? 0) > mostStates) return undefined
    if (event.kind === 'violation') violations.push(event)
  }
  // How often a handler was run depends on what is remembered of others.
  return { violations, counts: { ...counts, handlers: 0 } }
}

function testsOf(text: string): readonly Ir[] {
  const read = readProgram(text)
  if ('problems' in read) throw new Error(read.problems.join('; '))
  return read.checked.tests.map((one) => lower(read.checked, one))
}

function corpusText(name: string): string {
  return readFileSync(new URL(`../../../corpus/${name}/model.p`, import.meta.url), 'utf8')
}

/** How many searches there were to compare, and how many of them found something. */
function compare(ir: Ir, network: NetworkName): { readonly searches: number; readonly violated: number } {
  let [searches, violated] = [0, 0]
  for (const options of ways) {
    const exact = found(ir, network, { ...options, remember: 'states' })
    if (exact === undefined || exact === 'refused') continue
    const fingerprinted = found(ir, network, { ...options, remember: 'fingerprints' })
    // Along single executions nothing is remembered by fingerprints.
    if (fingerprinted === 'refused' && network === 'mailbox') continue
    expect({ options, found: fingerprinted }).toEqual({ options, found: exact })
    searches++
    if (exact.violations.length > 0) violated++
  }
  return { searches, violated }
}

describe('what is remembered by fingerprints is what is remembered whole', { timeout: 3_600_000 }, () => {
  const names = readAnswers('model.p').map(({ name }) => name)

  test.each(names)('%s', cut, (name) => {
    for (const [at, ir] of testsOf(corpusText(name)).entries()) {
      if (at > 3 && !isSlow) break
      compare(ir, networks[at % networks.length] ?? 'sender-queue')
    }
  })

  test('generated programs', cut, () => {
    let [searches, violated] = [0, 0]
    for (let seed = 0; seed < programs; seed++) {
      for (const ir of testsOf(generatedProgram(seed))) {
        const sums = compare(ir, networks[seed % networks.length] ?? 'sender-queue')
        searches += sums.searches
        violated += sums.violated
      }
    }
    expect(searches).toBeGreaterThan(programs)
    expect(violated).toBeGreaterThan(programs / 4)
  })
})

/** All states of a program, by fingerprints with halves of so many bits, or exact ones. */
function statesOf(ir: Ir, bits: number | undefined): number {
  const fingerprints = bits === undefined ? undefined : { bits, isDepthFirst: false }
  const space = new StateSpace(irRules(ir, settingOf('sender-queue')), { fingerprints })
  for (let state = space.first; state <= space.size; state++) {
    for (const _ of space.preparing(state));
    for (const step of space.steps(state)) space.after(step)
  }
  return space.size
}

test('fingerprints that are too short are noticed', () => {
  const [paxos] = testsOf(corpusText('p-paxos'))
  if (paxos === undefined) throw new Error('the program has a test')
  const exact = statesOf(paxos, undefined)
  expect(statesOf(paxos, 32)).toBe(exact)
  // A thousand states do not have sixteen thousand fingerprints to themselves.
  expect(statesOf(paxos, 7)).toBeLessThan(exact)
})
