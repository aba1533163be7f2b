/** Searches of P programs that are stopped anywhere and go on from what they saved: together they are one search. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { optionsFrom } from '../../../../src/core/options.ts'
import { violationKey } from '../../../../src/core/property.ts'
import { Random } from '../../../../src/core/random.ts'
import { addCounts, type Counts, type WorkUnit } from '../../../../src/core/verdict.ts'
import type { EngineEvent, EngineRequest } from '../../../../src/engines/engine.ts'
import { IrSearch, statefulIr } from '../../../../src/engines/stateful/ir/ir-search.ts'
import { irSearchOptions } from '../../../../src/engines/stateful/ir/options.ts'
import { savedIn } from '../../../../src/engines/stateful/ir/saved-search.ts'
import { lower } from '../../../../src/frontends/p/lower.ts'
import type { TestCase } from '../../../../src/frontends/p/symbols.ts'
import type { Ir } from '../../../../src/ir/ir.ts'
import { orderUsed } from '../../../../src/ir/order-of-machines.ts'
import { settingOf } from '../../../agreement/p/explored.ts'
import { readProgram } from '../../../agreement/p/read.ts'
import { cut, oneIn } from '../../../amount.ts'

const programs = [
  ['p-bounded-asynchrony', 'three'],
  ['p-cache-coherence', 'twoCaches'],
  ['p-client-server', 'twoClients'],
  ['p-counter', 'counter5'],
  ['p-espresso', 'user'],
  ['p-failure-detector', 'healthy'],
  ['p-last-zero', 'lastZero3'],
  ['p-last-zero', 'hasty'],
  ['p-liveness', 'promptForEver'],
  ['p-raft', 'oneCandidate'],
  ['p-token-ring', 'three'],
  ['p-two-phase-commit', 'oneClient'],
] as const

const networks = ['sender-queue', 'fifo', 'bag', 'mailbox'] as const
type Network = (typeof networks)[number]
type Asked = { readonly [name: string]: string | boolean }
const ways: readonly Asked[] = [
  {},
  { reduction: 'safe' },
  { search: 'depth' },
  { reduction: 'safe', search: 'depth' },
  { symmetry: true },
]

function irOf(model: string, name: string): Ir {
  const text = readFileSync(new URL(`../../../../corpus/${model}/model.p`, import.meta.url), 'utf8')
  const program = readProgram(text)
  if ('problems' in program) throw new Error(program.problems.join('; '))
  const found = program.checked.tests.find((one) => one.name === name)
  if (found === undefined) throw new Error(`${model} has no test ${name}`)
  return lower(program.checked, found as TestCase)
}

interface Explored {
  counts: Counts
  readonly violations: Map<string, number>
}

type Exploring = Generator<EngineEvent, void, EngineRequest>

/** A search that looks at the clock at every step. */
function begun(ir: Ir, network: Network, asked: Asked, unit?: WorkUnit): Exploring {
  const view = { program: ir, setting: settingOf(network) }
  return new IrSearch(view, optionsFrom(irSearchOptions, asked), 1).events(unit && savedIn(unit))
}

/** Until it ends, or has shown so many signs; what it leaves then, as a file would have it. */
function driven(search: Exploring, into: Explored, signs: number): WorkUnit | undefined {
  let [counts, left]: [Counts, WorkUnit | undefined] = [{}, undefined]
  let seen = 0
  for (let next = search.next(); !next.done; next = search.next(seen++ < signs ? undefined : 'surrender')) {
    const event = next.value
    if (event.kind === 'progress') counts = event.counts
    if (event.kind === 'surplus') left = JSON.parse(JSON.stringify(event.unit)) as WorkUnit
    if (event.kind !== 'violation') continue
    const key = violationKey(event.violation)
    if (!into.violations.has(key)) into.violations.set(key, event.decisions.length)
  }
  into.counts = addCounts(into.counts, counts)
  return left
}

/** How often a handler is run depends on what is remembered of it. */
function told({ counts: { handlers: _, ...counts }, violations }: Explored) {
  return { counts, violations: [...violations] }
}

const nothing = (): Explored => ({ counts: {}, violations: new Map() })
const toItsEnd = Number.MAX_SAFE_INTEGER

/** Searches with more steps take too long here; under symmetry a step takes longer. */
function most({ symmetry }: Asked): number {
  return symmetry === true ? 1000 : 4000
}

function inPieces(ir: Ir, network: Network, asked: Asked, random: Random) {
  const whole = nothing()
  if (driven(begun(ir, network, asked), whole, most(asked)) !== undefined) return undefined
  const { transitions = 0 } = whole.counts
  const pieces = nothing()
  let stops = 0
  for (let unit = driven(begun(ir, network, asked), pieces, random.below(transitions + 1)); unit !== undefined; ) {
    expect(statefulIr.addsUp?.({ units: [unit], counts: pieces.counts, explored: 0 }, {})).toBe(true)
    unit = driven(begun(ir, network, asked, unit), pieces, ++stops === 4 ? toItsEnd : random.below(transitions))
  }
  return { whole: told(whole), pieces: told(pieces), stops }
}

test.each(oneIn(8, programs))(
  '%s %s, stopped anywhere, is one search in each way on each network',
  cut,
  (model, name) => {
    const ir = irOf(model, name)
    const random = new Random(model.length)
    let [compared, stopped] = [0, 0]
    for (const network of networks) {
      for (const asked of ways) {
        if (asked.symmetry === true && orderUsed(ir) !== undefined) continue
        const found = inPieces(ir, network, asked, random)
        if (found === undefined) continue
        expect(found.pieces, `${network} ${JSON.stringify(asked)}, ${found.stops} stops`).toEqual(found.whole)
        compared++
        stopped += found.stops
      }
    }
    expect(compared).toBeGreaterThanOrEqual(5)
    expect(stopped).toBeGreaterThanOrEqual(compared)
  },
)

describe('what is saved', () => {
  const ir = irOf('p-token-ring', 'three')
  const counted = nothing()
  const unit = driven(begun(ir, 'fifo', {}), counted, 200) as WorkUnit
  const saved = savedIn(unit)
  const refusal = /damaged/

  const goOn = (state: unknown): void => {
    driven(begun(ir, 'fifo', {}, { ...unit, state }), nothing(), toItsEnd)
  }

  test('is refused if a step does not lead to a new state, or is none', () => {
    for (let at = 0; at < saved.ordinals.length; at += 7)
      for (const other of [1000, (saved.ordinals[at] as number) + 1])
        expect(() => goOn({ ...saved, ordinals: saved.ordinals.with(at, other) }), `${at}: ${other}`).toThrow(refusal)
  })

  test('is refused if it is not what such a search counts', () => {
    const { met, ordinals, transitions, terminals } = saved
    for (const wrong of [
      null,
      {},
      { ...saved, met: met.slice(1) },
      { ...saved, ordinals: ordinals.slice(1) },
      { ...saved, ordinals: ordinals.map(String) },
      { ...saved, met: met.map((count) => -count) },
      { ...saved, transitions: transitions + 1 },
      { ...saved, terminals: terminals + 1 },
      { ...saved, transitions: 0.5 },
      { ...saved, met: [...met, ...met.map(() => 0), ...met.map(() => 0)] },
    ])
      expect(() => goOn(wrong), JSON.stringify(wrong)).toThrow(refusal)
  })

  test('adds up only with what was counted, and alone', () => {
    const { counts } = counted
    const addsUp = (units: readonly WorkUnit[], said: Counts) =>
      statefulIr.addsUp?.({ units, counts: said, explored: 0 }, {})
    expect(addsUp([unit], counts)).toBe(true)
    expect(addsUp([unit, unit], counts)).toBe(false)
    expect(addsUp([], counts)).toBe(false)
    for (const name of ['states', 'transitions', 'terminals'])
      expect(addsUp([unit], { ...counts, [name]: (counts[name] as number) + 1 })).toBe(false)
  })

  test('is kept when a search is stopped again before it has caught up', () => {
    const pieces = nothing()
    const again = driven(begun(ir, 'fifo', {}, unit), pieces, 3)
    expect(again).toEqual(unit)
    expect(pieces.counts).toEqual({})
  })

  test('is nothing where a search goes along single executions', () => {
    const setting = settingOf('causal')
    const search = statefulIr.explore({ program: ir, setting }, {})
    search.next()
    const kinds: string[] = []
    for (let next = search.next('surrender'); !next.done; next = search.next('surrender')) kinds.push(next.value.kind)
    expect(kinds).toEqual(['unsaved'])
    const resumed = statefulIr.explore({ program: ir, setting }, {}, unit)
    expect(resumed.next().value).toMatchObject({ kind: 'diagnostic', diagnostic: { code: 'E405' } })
  })
})
