/** Lines that run without interruption are entered only if they can be left again, also by a call that begins with them. */
import { expect, test } from 'vitest'
import { clientCauses } from '../../../../src/check/objects/causes.ts'
import type { AtomicSection } from '../../../../src/core/code.ts'
import { atOnce, type Unhurried } from '../../../../src/core/unhurried.ts'
import { loadText, requestOf } from '../../../agreement/object-agreement.ts'
import { compare, full, reduced } from '../../../agreement/object-compare.ts'
import { clientOf, search } from '../../../agreement/object-search.ts'

const loaded = await loadText(`
export class Permits {
  #free = ['red', 'blue']
  #waiting = []
  async acquire() {
    if (this.#free.length === 0) {
      await new Promise((resolve) => { this.#waiting.push(resolve) })
    }
    return this.#free.pop() ?? 'none'
  }
  release(permit) {
    this.#free.push(permit)
    this.#waiting.shift()?.()
  }
}`)

const text = '[ acquire() ] { acquire(); release($1) } || { acquire() } || { acquire() }'
const permits = { ...requestOf(loaded, 'Permits', text), criterion: 'outcomes', deadlock: 'allow' } as const

async function causes(): Promise<readonly (readonly AtomicSection[])[]> {
  const unlessOver = async <Answer>(work: Unhurried<Answer>) => atOnce(work)
  const found = await clientCauses({ judged: permits, client: clientOf(text), seed: 0, unlessOver })
  return found?.initial.repairs.map(({ sections }) => sections) ?? []
}

test('lines that begin a call and wait are a cause like others', async () => {
  const found = (await causes()).map((sections) => sections.map(({ function: name, lines }) => ({ name, lines })))
  expect(found).toEqual([[{ name: 'Permits.acquire', lines: { first: 6, last: 9 } }]])
})

test('a call that is kept out by its first lines waits, and all searches know what for', async () => {
  const [sections = []] = await causes()
  const judged = { ...permits, sections }
  // The setup took blue. Whoever calls while red is taken cannot begin, and so is never woken to find none.
  expect(search(judged, clientOf(text), full)).toMatchObject({
    endings: {
      outcomes: [
        ' ||  || "red", waiting: p1 p2',
        ' || "red" || , waiting: p1 p3',
        '"red"; u ||  || "red", waiting: p2',
        '"red"; u || "red" || , waiting: p3',
      ],
      violations: [],
    },
  })
  const compared = compare({
    request: judged,
    client: clientOf(text),
    variants: reduced,
    seed: 1,
    mostTransitions: 1000,
  })
  expect(compared).toMatchObject({ kind: 'agree' })
  const strict = { ...judged, deadlock: 'error' } as const
  const all = compare({ request: strict, client: clientOf(text), variants: reduced, seed: 1, mostTransitions: 1000 })
  expect(all).toMatchObject({ kind: 'agree', truth: { violations: { length: 4 } } })
})
