/**
 * What is drawn forwards is what the reference semantics does: the same decisions are enabled after every decision, and an execution
 * ends alike. Walks of one program remember what processes do, so each is repeated with decisions of its own.
 */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { checkResult } from '../../src/check/check.ts'
import { guardDeterminism } from '../../src/check/guard.ts'
import { networkNames } from '../../src/core/operation.ts'
import { Random } from '../../src/core/random.ts'
import { settingFrom } from '../../src/core/setting.ts'
import { program } from '../../src/index.ts'
import { choose, poll, receive, self, send, spawn } from '../../src/model/process.ts'
import type { Runnable } from '../../src/program/program.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { amount, atLeast, oneIn } from '../amount.ts'
import { readCorpus } from '../corpus/entries.ts'
import { generate } from './generate.ts'
import { asRunnable, runnableOf } from './interpret.ts'

const longest = 400

/** Where both part, if they do; how many of the executions were not left to the path. */
function difference(
  subject: Runnable,
  seed: number,
  executions = 12,
): { readonly found?: unknown; readonly walked: boolean } {
  const paths = pathsOf(subject)
  const begin = paths.walks?.()
  if (begin === undefined) return { walked: false }
  const random = new Random(seed)
  for (let execution = 0; execution < executions; execution++) {
    const [path, walk] = [paths.begin(), begin()]
    for (let step = 0; ; step++) {
      const [enabled, ours] = [path.enabled(), walk.enabled()]
      if (JSON.stringify(enabled) !== JSON.stringify(ours)) return { found: { step, enabled, ours }, walked: true }
      if (enabled.length === 0 || step === longest) break
      const decision = random.pick(enabled)
      path.take(decision)
      walk.take(decision)
    }
    const [theirs, ours] = [path, walk].map((one) => ({
      blocked: one.isBlocked(),
      violations: one
        .violations()
        .map(({ kind, property, message, process }) => ({ kind, property, message, process })),
      events: 'length' in one ? one.length : one.events().length,
    }))
    if (JSON.stringify(theirs) !== JSON.stringify(ours)) return { found: { theirs, ours }, walked: true }
  }
  return { walked: true }
}

const programs = amount({ quick: 40, thorough: 400, all: 4000 })
const forms = [
  { mixed: false, monitors: false, changing: true },
  { mixed: true, monitors: false, anywhere: true },
  { mixed: false, monitors: false, senders: true, joins: true },
  { mixed: false, monitors: false, throwing: true },
]

test.each(networkNames)('generated programs walk as their paths go, under %s', (network) => {
  let walked = 0
  for (let seed = 0; seed < programs; seed++) {
    const subject = runnableOf(generate(seed, forms[seed % forms.length] as (typeof forms)[0]), network)
    const { found, walked: isWalked } = difference(subject, seed)
    expect(found, `seed ${seed}`).toBeUndefined()
    if (isWalked) walked++
  }
  const isPlain = network === 'bag' || network === 'fifo' || network === 'mailbox'
  expect(walked).toBeGreaterThanOrEqual(isPlain ? atLeast(programs) : 0)
})

describe('programs with a state of their own', () => {
  test('a filter means what it said while its receive waited, although the process has gone on since', () => {
    const subject = program('unlike the last', function* () {
      const main = yield* self<number>()
      for (const name of ['a', 'b'])
        yield* spawn(name, function* () {
          for (let sent = 0; sent < 2; sent++) yield* send(main, yield* choose([0, 1, 2]))
        })
      let last: number | undefined
      for (let turn = 0; turn < 4; turn++) {
        last = yield* poll<number>((message) => message !== last)
        if (last === 2) last = yield* receive<number>((message) => message !== 2)
      }
    })
    for (const network of ['bag', 'fifo', 'mailbox'] as const)
      for (let seed = 0; seed < 40; seed++)
        expect(difference(asRunnable(subject, network), seed)).toEqual({ walked: true })
  })

  test('whether two messages are one object has no meaning, as for every other engine', async () => {
    const subject = program('one object', function* () {
      const main = yield* self<object>()
      const kept = { kind: 'kept' }
      for (const name of ['a', 'b'])
        yield* spawn(name, function* () {
          yield* send(main, kept)
        })
      const [one, other] = [yield* receive<object>(), yield* receive<object>()]
      if (one === other) yield* receive<object>()
    })
    for (const engine of ['random', 'dpor'])
      expect(await checkResult(subject, { engine }), engine).toMatchObject({ diagnostics: [{ code: 'E201' }] })
  })
})

const corpus = await readCorpus(({ engines }) => engines.dpor !== undefined || engines.exhaustive !== undefined)

describe('programs of the corpus walk as their paths go', () => {
  const rows = corpus.flatMap(({ name, programs: all, answers }) =>
    answers.flatMap(({ program: exportName, setting: { params, network }, engines }) => {
      const subject = all.get(exportName)
      const view = subject?.views.runnable
      if (subject === undefined || view === undefined || (engines.dpor ?? engines.exhaustive) === undefined) return []
      const setting = settingFrom({ params: { ...subject.params, ...params }, network: network ?? subject.network })
      const title = `${name} ${exportName} ${JSON.stringify(setting.params)} ${setting.network}`
      return [[title, () => view(setting)] as const]
    }),
  )
  test('so many of them', () => {
    expect(rows.length).toBeGreaterThan(300)
    let walked = 0
    const release = guardDeterminism()
    try {
      for (const [title, subject] of oneIn(4, rows)) {
        const { found, walked: isWalked } = difference(subject(), 1, 2)
        expect(found, title).toBeUndefined()
        if (isWalked) walked++
      }
    } finally {
      release()
    }
    expect(walked).toBeGreaterThan(20)
  })
})

const seen = { kind: 'invariant', name: 'seen', sees: 'state', violation: () => undefined } as const

test('who watches the states on the way is left to paths', () => {
  const watched = { ...runnableOf(generate(1, { mixed: false, monitors: false }), 'fifo') }
  const subject = { ...watched, properties: [...watched.properties, seen] }
  expect(pathsOf(subject).walks?.()).toBeUndefined()
})
