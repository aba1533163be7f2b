/** `eventually` and `leadsTo` of systems: since when something is asked for, what forgets it, ends, and what is noted. */
import { checkResult, eventually, type Liveness, leadsTo, machine, type Program, system } from 'allways'
import { describe, expect, test } from 'vitest'
import { vacuityIn } from '../../../../src/core/verdict.ts'

interface Walker {
  at: number
}

/** Goes through places, one after the other, and stays at the last or begins anew. */
function walk(places: readonly number[], goesOn: 'stays' | 'again', asked: readonly Liveness[]): Program {
  const walker = machine<Walker & { step: number }>('walker', {
    state: () => ({ step: 0, at: places[0] ?? 0 }),
    start: (_, { setTimer }) => setTimer('go', { milliseconds: 10 }),
    timers: {
      go(state, { setTimer }) {
        state.step = goesOn === 'again' ? (state.step + 1) % places.length : Math.min(state.step + 1, places.length - 1)
        state.at = places[state.step] ?? 0
        if (goesOn === 'again' || state.step < places.length - 1) setTimer('go', { milliseconds: 10 })
      },
    },
  })
  return system('walk', { faults: {} }, () => ({ machines: { walker: walker.as() }, liveness: asked }))
}

const at =
  (place: number) =>
  ({ walker }: { readonly [machine: string]: Walker }): boolean =>
    walker?.at === place
const once = (place: number): Liveness => eventually<Walker>('asked', at(place))
const leads = (from: number, to: number): Liveness => leadsTo<Walker>('asked', at(from), at(to))

async function verdict(subject: Program) {
  const result = await checkResult(subject, { engine: 'stateful' })
  return result.ok ? result.value.kind : result.diagnostics[0]?.code
}

describe('eventually', () => {
  test.each([
    ['verified', 'at the beginning', [1, 2], 'stays', 1],
    ['verified', 'at the end', [1, 2], 'stays', 2],
    ['verified', 'on the way, and never again', [1, 2, 3], 'stays', 2],
    ['violated', 'never, and ends', [1, 2], 'stays', 3],
    ['violated', 'never, and goes on', [1, 2], 'again', 3],
  ] as const)('%s: %s', async (kind, _, places, goesOn, place) => {
    expect(await verdict(walk(places, goesOn, [once(place)]))).toBe(kind)
  })
})

describe('leadsTo', () => {
  test.each([
    ['verified', 'follows', [1, 2, 3], 'stays', 1, 3],
    ['verified', 'is the same state', [1, 2], 'stays', 2, 2],
    ['verified', 'came before, and nothing is asked for after it', [1, 3, 2], 'stays', 1, 3],
    ['violated', 'is asked for again after it came', [1, 3, 1], 'stays', 1, 3],
    ['violated', 'does not come after the last time', [3, 1, 2], 'stays', 1, 3],
    ['verified', 'comes each time', [1, 2, 3], 'again', 1, 3],
    ['violated', 'never comes on a round', [3, 1, 2], 'again', 1, 4],
    ['verified', 'is never asked for', [1, 2], 'again', 4, 3],
  ] as const)('%s: %s', async (kind, _, places, goesOn, from, to) => {
    expect(await verdict(walk(places, goesOn, [leads(from, to)]))).toBe(kind)
  })

  test('is noted if nothing is ever asked for', async () => {
    const result = await checkResult(walk([1, 2], 'stays', [leads(4, 3)]), { engine: 'stateful' })
    if (!result.ok) throw new Error(result.diagnostics[0]?.message)
    const subject = 'leadsTo "asked"'
    expect(vacuityIn(result.value)).toContainEqual({ code: 'property-never-evaluated', subject, count: 0 })
    const asked = await checkResult(walk([1, 2], 'stays', [leads(1, 2)]), { engine: 'stateful' })
    expect(asked.ok && vacuityIn(asked.value).filter((one) => one.subject === subject)).toEqual([])
  })

  test.each(['dpor', 'local', 'exhaustive'])('is refused by %s, which names stateful', async (engine) => {
    const result = await checkResult(walk([1, 2], 'stays', [leads(1, 2)]), { engine })
    expect(result).toMatchObject({ diagnostics: [{ code: 'E302', hint: 'engines that can: stateful' }] })
  })

  test('says that it throws, and what it answers beside true and false', async () => {
    const odd = leadsTo<Walker>('odd', () => 'yes' as unknown as boolean, at(1))
    expect(await verdict(walk([2, 1], 'stays', [odd]))).toBe('E227')
    const thrown = leadsTo<Walker>(
      'odd',
      () => {
        throw new Error('no')
      },
      at(1),
    )
    const message = 'exception in leadsTo "odd": Error: no'
    expect(await checkResult(walk([2, 1], 'stays', [thrown]), { engine: 'stateful' })).toMatchObject({
      value: { kind: 'violated', evidence: [{ violation: { message } }] },
    })
  })
})

test('the fairness that is assumed is part of the scope', async () => {
  const result = await checkResult(walk([1, 2], 'stays', [once(2)]), { engine: 'stateful' })
  expect(result).toMatchObject({ value: { scope: { endless: 'fair' } } })
})
