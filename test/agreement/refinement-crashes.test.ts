/**
 * Calls of processes that may crash and begin again: a crash comes between any two of them and behind the last, as it does before a send. What engines find is compared with a
 * search of the tests' own, which knows nothing of engines.
 */
import {
  announce,
  checkResult,
  monitor,
  type Program,
  program,
  receive,
  refines,
  refuse,
  self,
  send,
  spawn,
  specification,
} from 'allways'
import { expect, test } from 'vitest'
import { Random } from '../../src/core/random.ts'
import { encodeValue, type Value } from '../../src/core/value.ts'
import { type AbstractCall, type AbstractObject, abstractObjectOf } from '../../src/program/refinement.ts'
import { amount, cut } from '../amount.ts'

const lock = specification('lock', {
  state: { holder: null as string | null, freed: 0 },
  operations: {
    take: (state: { holder: string | null; freed: number }, { by }: { readonly by: string }) =>
      state.holder === null ? { ...state, holder: by } : refuse(`${state.holder} has it`),
    free: (state: { holder: string | null; freed: number }, { most }: { readonly most: number }) =>
      state.freed === most ? refuse('freed too often') : { holder: null, freed: state.freed + 1 },
  },
})
const refined = abstractObjectOf(lock) as AbstractObject

type Step = 'take' | 'free' | 'send' | 'note' | 'overheard'

interface Plan {
  readonly processes: readonly (readonly Step[])[]
  readonly crashes: number
  readonly restarts: number
  readonly most: number
  readonly hasMonitor: boolean
}

function drawn(random: Random): Plan {
  const steps = ['take', 'free', 'take', 'free', 'send', 'note', 'overheard'] as const
  const processes = Array.from({ length: 1 + random.below(2) }, () =>
    Array.from({ length: 1 + random.below(3) }, () => random.pick(steps)),
  )
  const crashes = random.below(3)
  const restarts = random.below(crashes + 1)
  return { processes, crashes, restarts, most: 1 + random.below(4), hasMonitor: random.below(2) === 0 }
}

function programOf(plan: Plan): Program {
  const { crashes, restarts, hasMonitor } = plan
  const listens = monitor('listens', { observes: ['overheard', 'lock.take'] }, function* () {
    for (;;) yield* receive()
  })
  const properties = [refines(lock), ...(hasMonitor ? [listens] : [])]
  return program('crashing', { deadlock: 'allow', faults: { crashes, restarts }, properties }, function* () {
    const main = yield* self<string>()
    for (const [at, steps] of plan.processes.entries())
      yield* spawn(`p${at}`, function* () {
        for (const step of steps) {
          if (step === 'send') yield* send(main, 'sent')
          else if (step === 'overheard') yield* announce({ kind: 'overheard' })
          else if (step === 'note') yield* announce({ kind: 'note.of' })
          else yield* announce(callOf(step, at, plan))
        }
      })
  })
}

function callOf(step: 'take' | 'free', at: number, { most }: Plan): AbstractCall {
  return step === 'take' ? lock.take({ by: `p${at}` }) : lock.free({ most })
}

interface State {
  readonly at: readonly number[]
  readonly crashed: readonly boolean[]
  readonly crashes: number
  readonly restarts: number
  readonly object: Value
}

/** Whether some interleaving has a call that the lock refuses. */
function isRefused(plan: Plan): boolean {
  const none = plan.processes.map(() => 0)
  const open: State[] = [{ ...plan, at: none, crashed: none.map(() => false), object: refined.first }]
  const met = new Set<string>()
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const { at, crashed, crashes, restarts, object } = state
    const key = encodeValue({ at, crashed, crashes, restarts, object } as Value)
    if (met.has(key)) continue
    met.add(key)
    for (const [who, place] of at.entries()) {
      const step = plan.processes[who]?.[place]
      if (crashed[who] === true) continue
      if (crashes > 0 && (step === undefined || isNoticed(plan, step))) {
        open.push({ ...state, crashes: crashes - 1, crashed: crashed.with(who, true) })
        const isChanged = restarts > 0 && place > 0
        if (isChanged) open.push({ ...state, crashes: crashes - 1, restarts: restarts - 1, at: at.with(who, 0) })
      }
      if (step === undefined) continue
      const on = { ...state, at: at.with(who, place + 1) }
      if (step !== 'take' && step !== 'free') open.push(on)
      else {
        const applied = refined.after(object, callOf(step, who, plan))
        if ('refused' in applied) return true
        open.push({ ...on, object: applied.state })
      }
    }
  }
  return false
}

/** By others, so that a crash before it is not one before the next step. */
function isNoticed({ hasMonitor }: Plan, step: Step): boolean {
  return step === 'take' || step === 'free' || step === 'send' || (step === 'overheard' && hasMonitor)
}

test('a crash comes before each call of a process and behind the last, as each engine finds', cut, async () => {
  const kinds = { violated: 0, verified: 0, onlyByCrashes: 0 }
  const followed = amount({ quick: 10, rest: 30, all: 200 })
  for (let seed = 0; seed < amount({ quick: 25, rest: 300, all: 5_000 }); seed++) {
    const plan = drawn(new Random(seed))
    const expected = isRefused(plan) ? 'violated' : 'verified'
    for (const engine of seed < followed ? (['dpor', 'exhaustive'] as const) : (['dpor'] as const)) {
      const found = await checkResult(programOf(plan), { engine })
      if (!found.ok) throw new Error(JSON.stringify(found))
      expect(found.value.kind, `seed ${seed}, ${engine}: ${JSON.stringify(plan)}`).toBe(expected)
    }
    kinds[expected]++
    if (expected === 'violated' && !isRefused({ ...plan, crashes: 0 })) kinds.onlyByCrashes++
  }
  expect(Math.min(...Object.values(kinds))).toBeGreaterThan(2)
})

test('between a call and the monitor that is told of it there is no moment to crash in', async () => {
  const plan: Plan = { processes: [['take', 'free']], crashes: 1, restarts: 0, most: 1, hasMonitor: true }
  const found = await checkResult(programOf(plan), { engine: 'dpor', keepGoing: true })
  if (!found.ok) throw new Error(JSON.stringify(found))
  // Nothing, take alone, and both.
  expect(found.value.counts.executions).toBe(3)
})
