/** Every model of the corpus that executions are counted of, in shards as at once: counts, violations in order, and what never happened. */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { guardDeterminism } from '../../src/check/guard.ts'
import { checkRequest } from '../../src/check/request.ts'
import { orThrow } from '../../src/core/diagnostic.ts'
import { Witness } from '../../src/core/witness.ts'
import { isBudget } from '../../src/distribute/driver.ts'
import { driveInline } from '../../src/distribute/inline.ts'
import { driveShard } from '../../src/distribute/shard-drive.ts'
import { amount, longIf } from '../amount.ts'
import { answer, type Sharded, together } from '../shards-together.ts'
import { tickingHost } from '../ticking-host.ts'
import { isSoon } from './answers.ts'
import { type Question, questions, readCorpus } from './entries.ts'

const oneIn = amount({ quick: 4, rest: 4, thorough: 1, all: 1 })
const all = questions(await readCorpus()).filter((one, at) => isSoon(one) && at % oneIn === 0)

const isMany = ({ answer: { executions, blocked } }: Question): boolean => executions + blocked > 250
const isTooMany = ({ answer: { executions, blocked } }: Question): boolean => executions + blocked > 3_000

function searchOf({ program, params, engine, network, eager }: Question) {
  const asked = { params, engine, network: eager ? `${network}-eager` : network }
  const { options, explored, witness, ...request } = orThrow(checkRequest(program, asked))
  return { search: { engine: request.engine, options, subject: explored.subject }, witness }
}

/** Where nothing is found, going on makes no difference. */
async function compare(question: Question, at: number): Promise<void> {
  const some = amount({ quick: 1, rest: 1, thorough: 3, all: 3 })
  for (const keepGoing of [true, false]) {
    const alone = searchOf(question)
    const driven = await driveInline(alone.search, { budget: {}, keepGoing }, tickingHost())
    expect(isBudget(driven.because)).toBe(false)
    for (let turn = 0; turn < some; turn++) {
      const of = [2, 3, 7][(at + turn) % 3] as number
      const shards = await shardsOf(question, { of, keepGoing })
      const { pieces, ...whole } = together(shards.map(({ driven: one }) => one))
      expect(whole, `${of} shards, ${keepGoing ? 'all' : 'first'}`).toEqual(answer(driven))
      expect(new Set(shards.map(({ driven: { shard } }) => `${shard.cut} ${shard.pieces}`)).size).toBe(1)
      if (driven.because !== 'exhausted') continue
      expect(pieces).toBe(shards[0]?.driven.shard.pieces)
      const seen = new Witness()
      for (const { witness } of shards) seen.add(witness.known())
      expect(unseen(seen)).toEqual(unseen(alone.witness))
    }
    if (driven.found.length === 0) return
  }
}

async function shardsOf(question: Question, { of, keepGoing }: { readonly of: number; readonly keepGoing: boolean }) {
  const shards: { readonly driven: Sharded; readonly witness: Witness }[] = []
  for (let number = 1; number <= of; number++) {
    const { search, witness } = searchOf(question)
    const { shard, ...driven } = await driveShard(search, { budget: {}, keepGoing }, tickingHost(), { number, of })
    if (shard === undefined) expect.fail('a shard tells what it explored')
    shards.push({ driven: { ...driven, shard }, witness })
  }
  return shards
}

function unseen(witness: Witness) {
  return new Set(witness.open().map(({ code, subject }) => `${code} ${subject}`))
}

describe('shards come to what one run says', () => {
  for (const [at, question] of all.filter((one) => !isTooMany(one)).entries())
    test(question.title, longIf(isMany(question) || at % 10 > 0, at % 5 > 0), async () => {
      const release = guardDeterminism()
      try {
        await compare(question, at)
      } finally {
        release()
      }
    })
})
