/** Models of consensus are asked in several ways within some bounds: right ones and wrong ones, with one answer. */
import { expect, test } from 'vitest'
import { type Answer, readAnswers } from './answers.ts'

const engines = ['dpor', 'stateful', 'local'] as const
const models = readAnswers().filter(({ name }) => /^(?!cas-|forwarding-).*-(?:tree|machines|processes)$/.test(name))

/** Processes are no machines; and the value of an open round is not told by pairs of calls. */
const notAsked: { readonly [name: string]: readonly string[] } = {
  'fast-paxos-tree': ['local'],
  'paxos-processes': ['local'],
  'raft-processes': ['local'],
}

const verdictsOf = ({ engines: by }: Answer) => engines.flatMap((engine) => by[engine]?.verdict ?? [])

test('eleven models are looked at', () => {
  expect(models).toHaveLength(11)
})

test.each(models)('$name: whatever is asked of several engines has one answer', ({ answers }) => {
  for (const answer of answers)
    expect(new Set(verdictsOf(answer)).size, `${answer.program} ${JSON.stringify(answer.setting)}`).toBe(1)
})

test.each(models)('$name is asked in every way within some bounds', ({ name, answers }) => {
  const asked = engines.filter((engine) => !notAsked[name]?.includes(engine))
  const inAll = answers.filter(({ engines: by }) => asked.every((engine) => by[engine] !== undefined))
  expect(inAll.flatMap(verdictsOf)).toContain('verified')
})

/** Three timeouts and two entries are 48,568 executions, and far more states. */
const tooLarge = ['lengthOnly']

test.each(['paxos-tree', 'paxos-machines', 'paxos-processes', 'raft-processes'])(
  '%s: so is each mistake that dpor is asked of',
  (wanted) => {
    const { name, answers } = models.find((one) => one.name === wanted) as (typeof models)[number]
    const asked = engines.filter((engine) => !notAsked[name]?.includes(engine))
    const isWrongBy = (engine: (typeof engines)[number]) => (answer: Answer) =>
      answer.engines[engine]?.verdict === 'violated'
    const wrong = new Set(answers.filter(isWrongBy('dpor')).map(({ program }) => program))
    expect(wrong.size).toBeGreaterThan(2)
    const inAll = answers.filter((answer) => asked.every((engine) => isWrongBy(engine)(answer)))
    const inSome = [...inAll.map(({ program }) => program), ...tooLarge]
    expect([...wrong].filter((program) => !inSome.includes(program))).toEqual([])
  },
)
