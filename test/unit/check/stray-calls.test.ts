/** Snapshots of systems that refine an object: calls in them are those of the object, or the file is refused. */
import { expect, test } from 'vitest'
import { liveState } from '../../../src/check/online/live-state.ts'
import type { Snapshot } from '../../../src/core/snapshot.ts'
import type { Value } from '../../../src/core/value.ts'
import { machine, refines, refuse, specification, system } from '../../../src/index.ts'

const log = specification('log', {
  state: { count: 0 },
  operations: {
    append(state: { count: number }, { at }: { readonly at: number }) {
      if (at !== state.count) return refuse('not the next one')
      state.count++
      return undefined
    },
  },
})
const writer = machine<object>('writer', { state: () => ({}) })
const whole = system('writing', { faults: {} }, () => ({
  machines: { writer: writer.as() },
  properties: [refines(log)],
}))

function taken(call: Value): Snapshot {
  return {
    format: 'allways-snapshot/1',
    system: 'writing',
    params: {},
    machines: ['writer'],
    states: [{ data: {}, timers: [], requests: 0, crashes: 0 }],
    underWay: [],
    missing: 0,
    calls: [{ by: 'writer', call }],
    takenAt: '',
  }
}

const origin = { shown: 'a file', isLive: false }

test('a call of the object', () => {
  expect(liveState(whole, taken({ kind: 'log.append', at: 0 }), origin)).toMatchObject({ ok: true })
})

test.each([{ kind: 'log.apend', at: 0 }, { at: 0 }, 7])('what is no call of it: %o', (call) => {
  const refused = { ok: false, diagnostics: [{ message: expect.stringMatching(/no call of "log"/) }] }
  expect(liveState(whole, taken(call), origin)).toMatchObject(refused)
})
