/** Every model of the corpus with executions enough to be sent, and few enough, by workers of a Redis as by one thread. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orThrow } from '../../src/core/diagnostic.ts'
import { long, longIf } from '../amount.ts'
import { type ExecutionsAnswer, isSoon, readAnswers } from '../corpus/answers.ts'
import { withoutStacks } from '../unit/check/threads.ts'
import { type Asked, alone, redisServer, sent, TestRedis } from './redis.ts'

interface Question extends Asked {
  readonly answer: ExecutionsAnswer
}

const questions: readonly Question[] = readAnswers()
  .filter(({ classes }) => classes === undefined)
  .flatMap(({ name, answers }) =>
    answers.flatMap(({ program, setting: { params, network }, engines }) =>
      (['dpor', 'exhaustive'] as const).flatMap((engine) => {
        const answer = engines[engine]
        if (answer === undefined || network === undefined || !isSoon(answer) || !isWorthIt(answer)) return []
        const on = answer.options?.eager === true ? `${network}-eager` : network
        const file = `corpus/${name}/model.check.ts`
        return [{ file, name: program, options: { params, engine, network: on }, answer }]
      }),
    ),
  )

function isWorthIt({ counts: { executions, blocked } }: ExecutionsAnswer): boolean {
  return executions + blocked > 250 && executions + blocked <= 60_000
}

describe.skipIf(redisServer === undefined)('two worker processes', long, () => {
  let redis: TestRedis

  beforeAll(async () => {
    redis = await TestRedis.started()
    await Promise.all([redis.worker(), redis.worker()])
  })

  afterAll(async () => {
    await redis?.ended()
  })

  test('there are models to be sent', () => {
    expect(questions.length).toBeGreaterThan(50)
  })

  for (const [at, { answer, ...asked }] of questions.entries())
    test(`${asked.file} ${asked.name} ${JSON.stringify(asked.options)}`, longIf(true, at % 40 !== 0), async () => {
      const [{ result, notes }, expected] = [await sent(redis, asked, { after: 1 }), await alone(asked)]
      const { verdict } = orThrow(result)
      expect(withoutStacks(verdict)).toEqual(withoutStacks(expected))
      if (answer.verdict === 'verified') {
        const { executions, blocked } = answer.counts
        expect(verdict.counts).toMatchObject({ executions, blocked })
        if (executions > 5_000) expect(notes.map(({ kind }) => kind)).toEqual(['begun'])
      }
      expect(await redis.keys()).toEqual([])
    })
})
