/**
 * A P program refines a specification: what `stateful` and `exhaustive` find is the same, and the same as what a monitor finds that P itself has, with the
 * same rule. Programs are generated: writers tell numbers, at once, by sending or through a relay.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkResult } from '../../../src/check/check.ts'
import { findingsIn } from '../../../src/core/evidence.ts'
import type { NetworkName } from '../../../src/core/operation.ts'
import { Random } from '../../../src/core/random.ts'
import { pModel } from '../../../src/model/p-model.ts'
import { abstractSpecification, refuse } from '../../../src/properties/refinement/specification.ts'
import { amount, cut } from '../../amount.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-p-refinement-'))
afterAll(() => rmSync(folder, { recursive: true }))

const networks: readonly NetworkName[] = ['sender-queue', 'fifo', 'bag', 'mailbox', 'causal']

/** Numbers fall by one at most. */
const rising = abstractSpecification('rising', {
  state: { last: 0 },
  operations: {
    put({ last }: { last: number }, { n }: { readonly n: number }) {
      return n + 1 < last ? refuse(`after ${last}`) : { last: n }
    },
  },
})

function programOf(seed: number): string {
  const random = new Random(seed)
  const told = (): string => {
    const n = 1 + random.below(4)
    const ways = [`announce put, ${n};`, `send relay, put, ${n};`, `send relay, pass, ${n};`, `announce put, ${n};`]
    const way = ways[random.below(ways.length)] as string
    return random.below(4) === 0 ? `if ($) ${way}` : way
  }
  const writer = (name: string): string => {
    const body = Array.from({ length: 1 + random.below(3) }, told).join(' ')
    return `machine ${name} { start state S { entry (relay: machine) { ${body} } } }`
  }
  return `event put: int; event pass: int;
machine Main { start state S { entry { var relay: machine; relay = new Relay(); new One(relay); new Two(relay); } } }
${writer('One')}
${writer('Two')}
machine Relay { start state S { ignore put; on pass do (n: int) { announce put, n; } } }
spec Rising observes put {
  var last: int;
  start state S { on put do (n: int) { assert n + 1 >= last, format("put {{n: {0}}}: after {1}", n, last); last = n; } }
}
test plain [main=Main]: { Main, One, Two, Relay };
test watched [main=Main]: assert Rising in { Main, One, Two, Relay };
`
}

interface Asked {
  readonly path: string
  readonly engine: string
  readonly network: NetworkName
}

async function found({ path, engine, network }: Asked, isWatched = false) {
  const calls = { put: (n: number) => rising.put({ n }) }
  const model = pModel(path, isWatched ? { test: 'watched' } : { test: 'plain', refines: [{ object: rising, calls }] })
  const result = await checkResult(model, { engine, network, keepGoing: true })
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  const messages = findingsIn(result.value.evidence).flatMap((one) =>
    one.kind === 'execution' ? [one.violation.message] : [],
  )
  return { kind: result.value.kind, messages: messages.sort(), states: result.value.counts.states }
}

test('engines and a monitor of P agree', { ...cut, timeout: 600_000 }, async () => {
  const kinds = new Set<string>()
  for (let seed = 0; seed < amount({ quick: 8, rest: 30, thorough: 200, all: 2_000 }); seed++) {
    const path = join(folder, `${seed}.p`)
    writeFileSync(path, programOf(seed))
    const network = networks[seed % networks.length] as NetworkName
    const stateful = await found({ path, engine: 'stateful', network })
    const watched = await found({ path, engine: 'stateful', network }, true)
    const { states: _, ...exhaustive } = await found({ path, engine: 'exhaustive', network })
    kinds.add(stateful.kind)
    const about = `${network}\n${programOf(seed)}`
    expect({ about, ...stateful }).toEqual({ about, ...watched })
    expect({ about, ...exhaustive }).toEqual({ about, kind: stateful.kind, messages: stateful.messages })
  }
  expect([...kinds].sort()).toEqual(['verified', 'violated'])
})
