/** Every P program of the corpus, by every engine and on every network for which its answers are known: verdicts and exact counts. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadPrograms } from '../../src/check/load.ts'
import { checkRequest } from '../../src/check/request.ts'
import { runCheck } from '../../src/check/run.ts'
import { orThrow } from '../../src/core/diagnostic.ts'
import { findingsIn } from '../../src/core/evidence.ts'
import { networkNames } from '../../src/core/operation.ts'
import type { Verdict } from '../../src/core/verdict.ts'
import type { Program } from '../../src/program/program.ts'
import { isSlow, longIf } from '../amount.ts'
import { type Answer, corpusFolder, isLarge, isSoon, readAnswers } from './answers.ts'

interface Entry {
  readonly name: string
  readonly programs: ReadonlyMap<string, Program>
  /** The same over classes of values. */
  readonly overClasses: ReadonlyMap<string, Program>
  readonly answers: readonly Answer[]
}

interface Question {
  readonly title: string
  readonly program: Program
  readonly network: string | undefined
  readonly engine: (typeof engines)[number]
  readonly expected: Expected
}

interface Expected {
  readonly verdict: string
  readonly counts?: object
  readonly violation?: object
  readonly long?: true
  readonly slow?: true
}

const alongPaths = 'the search goes along single executions there, and comes to no end in minutes'
/** By entry and network: why nobody knows an answer. */
const unanswered: { readonly [name: string]: { readonly [network: string]: string } } = {
  'p-paxos-tree': { causal: alongPaths },
  'p-store-paxos': { causal: alongPaths },
}

const engines = ['stateful', 'symbolic', 'exhaustive', 'pct'] as const
const corpus = await Promise.all(readAnswers('model.p').map(entryOf))
const questions = corpus.flatMap(questionsOf)

describe('the corpus of P programs is complete', () => {
  test.each(corpus)('$name has answers of exactly its tests', ({ programs, answers }) => {
    expect([...new Set(answers.map(({ program }) => program))].sort()).toEqual([...programs.keys()].sort())
  })

  test.each(corpus)('$name says in its README what its tests are about', ({ name, programs }) => {
    const readme = readFileSync(join(corpusFolder, name, 'README.md'), 'utf8')
    expect([...programs.keys()].filter((program) => !readme.includes(`\`${program}\``))).toEqual([])
  })

  test.each(corpus)('$name has a test that holds and one that is violated', ({ answers }) => {
    const verdicts = answers.map(({ engines: { stateful } }) => stateful?.verdict)
    expect(verdicts).toContain('verified')
    expect(verdicts).toContain('violated')
  })

  test.each(corpus)('$name has an answer on every network, or there is a reason why not', ({ name, answers }) => {
    const known = new Set(answers.map(({ setting: { network } }) => network ?? 'sender-queue'))
    const missing = networkNames.filter((network) => !known.has(network))
    expect(missing).toEqual(networkNames.filter((network) => unanswered[name]?.[network] !== undefined))
  })

  test('what is proved for all values is asked of values, too, and what is violated as well', () => {
    const entries = corpus.filter(({ overClasses }) => overClasses.size > 0)
    expect(entries.length).toBeGreaterThan(1)
    for (const { answers } of entries) {
      const classes = answers.filter(({ setting }) => setting.values === 'all')
      expect(new Set(classes.map(({ engines: { stateful } }) => stateful?.verdict))).toEqual(
        new Set(['proved', 'violated']),
      )
    }
  })

  test('all engines give one verdict wherever several are asked', () => {
    const both = corpus.flatMap(({ answers }) => answers.filter(({ engines: asked }) => asked.exhaustive !== undefined))
    expect(both.length).toBeGreaterThan(50)
    expect(both.filter(({ engines: { stateful, exhaustive } }) => stateful?.verdict !== exhaustive?.verdict)).toEqual(
      [],
    )
  })
})

describe('engines find what is expected of P programs', () => {
  const soon = questions.filter(({ expected }) => isSoon(expected))
  for (const [at, one] of soon.entries()) {
    const large = isLarge(one.expected)
    test(one.title, longIf(large || at % 12 > 0, at % 6 > 0 || (large && at % 12 > 0)), () => check(one))
  }

  for (const one of questions.filter(({ expected }) => expected.long))
    test(one.title, longIf(true, true), () => check(one))
})

/** Answers that take many seconds: `AMOUNT=all npx vitest run test/corpus`. */
describe.runIf(isSlow)('engines find what is expected of P programs where it takes long', () => {
  const slow = questions.filter(({ expected }) => expected.slow)
  for (const one of slow) test(one.title, () => check(one))
})

async function entryOf({ name, answers }: Pick<Entry, 'name' | 'answers'>): Promise<Entry> {
  const named = async (file: string): Promise<Entry['programs']> => {
    const { programs } = orThrow(await loadPrograms(join(corpusFolder, name, file)))
    return new Map(programs.map(({ program }) => [program.name, program]))
  }
  const classes = 'all-values.check.ts'
  const has = (file: string): boolean => existsSync(join(corpusFolder, name, file))
  const overClasses = has(classes) ? await named(classes) : new Map()
  // What a program refines stands beside it.
  const refined = 'refined.check.ts'
  return { name, answers, programs: await named(has(refined) ? refined : 'model.p'), overClasses }
}

function questionsOf({ name, programs, overClasses, answers }: Entry): readonly Question[] {
  return answers.flatMap((answer) => {
    const { network, values } = answer.setting
    const program = (values === undefined ? programs : overClasses).get(answer.program)
    return engines.flatMap((engine) => {
      const expected = answer.engines[engine] as Expected | undefined
      if (program === undefined || expected === undefined) return []
      const all = values === undefined ? '' : ' for all values'
      const title = `${name} ${answer.program}${all}, ${network ?? 'its own network'}, ${engine}: ${expected.verdict}`
      return [{ title, program, network, engine, expected }]
    })
  })
}

/** What `violated` says was replayed by the judge before it was said. */
async function check({ program, network, engine, expected }: Question): Promise<void> {
  const keepGoing = engine === 'exhaustive'
  const samples = engine === 'pct' ? { samples: 200, seed: 1 } : {}
  const request = orThrow(
    checkRequest(program, { engine, network, keepGoing, ...samples, time: '10m', memory: '64gb' }),
  )
  const { verdict } = orThrow(await runCheck(request))
  expect(verdict.kind).toBe(expected.verdict)
  expect(verdict.counts).toMatchObject(expected.counts ?? {})
  if (engine !== 'exhaustive') expect(brokenIn(verdict)).toEqual(expected.violation ?? {})
}

function brokenIn(verdict: Verdict): { readonly property?: string } {
  const [first] = findingsIn(verdict.evidence)
  return first?.violation === undefined ? {} : { property: first.violation.property }
}
