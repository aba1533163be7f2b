/** Every model of the corpus, by every engine and on every network for which its answers are known: exact counts. */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Params } from '../../src/core/setting.ts'
import { isSlow, longIf } from '../amount.ts'
import { isSoon } from './answers.ts'
import { type Entry, type Question, questions, readCorpus } from './entries.ts'
import { classes, explored } from './explore.ts'

const corpus = await readCorpus()
const all = questions(corpus)
const soon = all.filter(isSoon)
const slow = all.filter((question) => question.slow)
const oneHour = 3_600_000

describe('the corpus is complete', () => {
  test.each(corpus)('$name has answers of exactly the programs it exports', ({ programs, answers }) => {
    expect([...new Set(answers.map(({ program }) => program))].sort()).toEqual([...programs.keys()].sort())
  })

  test.each(corpus)('$name says in its README where the numbers come from', ({ name, programs }: Entry) => {
    const readme = readFileSync(new URL(`../../corpus/${name}/README.md`, import.meta.url), 'utf8')
    expect([...programs.keys()].filter((program) => !readme.includes(`\`${program}\``))).toEqual([])
  })
})

describe('engines find the expected executions', () => {
  for (const [at, question] of soon.entries()) {
    const isForRelease = isLarge(question) && (question.engine === 'exhaustive' ? at % 10 > 0 : at % 4 > 0)
    test(question.title, longIf(isLarge(question), isForRelease), () => check(question))
  }

  for (const question of all.filter(({ long }) => long)) test(question.title, longIf(true, true), () => check(question))
})

/** Answers that take seconds each: `AMOUNT=all npx vitest run test/corpus`. */
describe.runIf(isSlow)('engines find the expected executions that take long', () => {
  for (const question of slow) test(question.title, { timeout: oneHour }, () => check(question))
})

describe('dpor explores exactly the classes of the interleavings', () => {
  const small = soon.filter(({ engine }) => engine === 'exhaustive')
  for (const [at, question] of small.entries())
    test(question.title, longIf(isLarge(question), isLarge(question) && at % 10 > 0), () => {
      const { program, params, network } = question
      const interleavings = classes({ program, params, network, engine: 'exhaustive' })
      expect(classes({ program, params, network, engine: 'dpor' })).toEqual(interleavings)
    })
})

describe('counts do not depend on the order in which dpor picks processes', () => {
  const few = soon.filter(({ engine, answer }) => engine === 'dpor' && answer.executions + answer.blocked <= 200)
  for (const [at, question] of few.entries())
    test(question.title, longIf(isLarge(question), isLarge(question) && at % 10 > 0), () => {
      expect(explored({ ...question, schedule: 'right-to-left' })).toEqual(question.answer)
      expect(explored({ ...question, schedule: 'random' })).toEqual(question.answer)
    })
})

describe('chain replication behaves as in Table 2 of the Must paper', () => {
  const answers = all.filter(({ title }) => title.startsWith('chain-replication correct,'))
  const isOn = ({ network, eager }: Question, name: string) => name === (eager ? `${network}-eager` : network)
  const total = (setting: Params, network: string): number => {
    const found = answers.find((one) => isOn(one, network) && isDeepStrictEqual(one.params, setting))
    return found === undefined ? Number.NaN : found.answer.executions + found.answer.blocked
  }
  const settings = {
    'two requests': { faults: 2, replicas: 3, requests: 2 },
    'no fault': { faults: 0, replicas: 3 },
    'one fault': { faults: 1, replicas: 3 },
    'two faults': { faults: 2, replicas: 3 },
  }

  test.each(['two requests', 'no fault', 'one fault'] as const)('%s: bag allows more executions than fifo', (name) => {
    expect(total(settings[name], 'bag')).toBeGreaterThan(total(settings[name], 'fifo'))
  })

  test.each(Object.entries(settings))('%s: stronger networks allow no more executions', (_name, setting) => {
    expect(total(setting, 'fifo')).toBeGreaterThanOrEqual(total(setting, 'causal'))
    expect(total(setting, 'causal')).toBeGreaterThanOrEqual(total(setting, 'mailbox'))
  })

  test.each(['fifo', 'causal', 'mailbox', 'fifo-eager'])(
    'under %s the length of a chain without faults does not matter',
    (network) => {
      expect([2, 3, 6, 10].map((replicas) => total({ faults: 0, replicas }, network))).toEqual([36, 36, 36, 36])
    },
  )

  test.each(['two requests', 'one fault', 'two faults'] as const)(
    '%s: ordering unread messages costs three times the executions',
    (name) => {
      expect(total(settings[name], 'fifo-eager')).toBeGreaterThanOrEqual(3 * total(settings[name], 'fifo'))
    },
  )

  test('bag alone breaks the protocol', () => {
    const verdicts = (network: string) => answers.filter((one) => isOn(one, network)).map((one) => one.answer.verdict)
    expect(verdicts('bag')).toContain('violated')
    for (const network of ['fifo', 'causal', 'mailbox', 'fifo-eager'])
      expect(new Set(verdicts(network))).toEqual(new Set(['verified']))
  })
})

/** What each takes is little, but there are thousands. */
function isLarge({ answer, params }: Question): boolean {
  return answer.executions + answer.blocked > 6 || Object.values(params).some((value) => Number(value) > 10)
}

function check(question: Question): void {
  expect(explored(question)).toEqual(question.answer)
}
