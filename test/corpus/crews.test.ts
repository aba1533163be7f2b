/** Every model of the corpus that executions are counted of, by several as by one thread: counts, violations in order, and what never happened. */
import { describe, expect, test } from 'vitest'
import { guardDeterminism } from '../../src/check/guard.ts'
import { checkRequest } from '../../src/check/request.ts'
import { orThrow } from '../../src/core/diagnostic.ts'
import { violationKey } from '../../src/core/property.ts'
import { driveWithCrew } from '../../src/distribute/crew-drive.ts'
import type { Driven } from '../../src/distribute/driver.ts'
import { driveInline } from '../../src/distribute/inline.ts'
import { inTurn, longIf } from '../amount.ts'
import { PretendedCrew } from '../pretended-crew.ts'
import { tickingHost } from '../ticking-host.ts'
import { isSoon } from './answers.ts'
import { type Question, questions, readCorpus } from './entries.ts'

const all = questions(await readCorpus()).filter(isSoon)

/** Each has executions enough to be given away, and few enough to be explored several times. */
const isMany = ({ answer: { executions, blocked } }: Question): boolean => executions + blocked > 250
const isTooMany = ({ answer: { executions, blocked } }: Question): boolean => executions + blocked > 60_000
const isForRelease = ({ engine, answer: { executions, blocked } }: Question): boolean =>
  executions + blocked > (engine === 'exhaustive' ? 2_000 : 30_000)

function requestOf({ program, params, engine, network, eager }: Question) {
  return orThrow(checkRequest(program, { params, engine, network: eager ? `${network}-eager` : network }))
}

function searchOf(question: Question) {
  const { engine, options, explored, witness } = requestOf(question)
  return { search: { engine, options, subject: explored.subject }, witness }
}

function answer({ because, counts, found, diagnostic }: Driven) {
  return { because, counts, found: found.map((one) => [violationKey(one.violation), one.decisions]), diagnostic }
}

/** How many others there are. */
const sizes = [1, 3]

async function compare(question: Question, at: number): Promise<number> {
  let given = 0
  for (const keepGoing of [true, false]) {
    const alone = searchOf(question)
    const driven = await driveInline(alone.search, { budget: {}, keepGoing }, tickingHost())
    for (const size of inTurn(at + Number(keepGoing), sizes)) {
      const own = searchOf(question)
      const others: ReturnType<typeof searchOf>[] = []
      const search = () => {
        const one = searchOf(question)
        others.push(one)
        return one.search
      }
      const crew = new PretendedCrew({ size, seed: size, search, keepGoing })
      const together = await driveWithCrew(own.search, { budget: {}, keepGoing }, crew.host, crew)
      given += crew.given
      expect(answer(together), `${size + 1} workers`).toEqual(answer(driven))
      for (const { witness } of others) own.witness.add(witness.known())
      const told = ({ witness }: typeof own) => new Set(witness.open().map(({ code, subject }) => `${code} ${subject}`))
      if (driven.because === 'exhausted') expect(told(own)).toEqual(told(alone))
    }
  }
  return given
}

describe('several have the answer of one', () => {
  for (const [at, question] of all.filter((one) => !isTooMany(one)).entries())
    test(question.title, longIf(isMany(question) || at % 24 !== 0, at % 16 > 0 || isForRelease(question)), async () => {
      const release = guardDeterminism()
      try {
        const given = await compare(question, at)
        if (isMany(question)) expect(given).toBeGreaterThan(0)
      } finally {
        release()
      }
    })
})
