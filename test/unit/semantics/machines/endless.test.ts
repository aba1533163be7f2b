import { checkResult, machine, system } from 'allways'
import { describe, expect, test } from 'vitest'
import { longIf } from '../../../amount.ts'

const retrying = system('retrying', {}, () => ({
  machines: {
    client: machine<{ sent: boolean }, { kind: 'ask' }>('client', {
      state: () => ({ sent: false }),
      start: (_state, { setTimer }) => setTimer('again', { milliseconds: 1 }),
      timers: {
        again(_state, { send, setTimer }) {
          send('server', { kind: 'ask' })
          setTimer('again', { milliseconds: 1 })
        },
      },
      on: {},
    }).as(),
    server: machine<{ asked: boolean }, { kind: 'ask' }>('server', {
      state: () => ({ asked: false }),
      on: {
        ask(state) {
          state.asked = true
        },
      },
    }).as(),
  },
  invariants: [],
}))

describe('a system that retries for ever', () => {
  test('is verified by the engine that remembers states of machines', async () => {
    expect(await checkResult(retrying, { engine: 'local' })).toMatchObject({ ok: true, value: { kind: 'verified' } })
  })

  for (const engine of ['dpor', 'pct', 'exhaustive']) {
    test(`is a mistake for ${engine} that names the engines to use`, longIf(engine === 'exhaustive'), async () => {
      const result = await checkResult(retrying, { engine })
      expect(result).toMatchObject({
        ok: false,
        diagnostics: [{ code: 'E203', hint: expect.stringContaining('--engine local or stateful') }],
      })
    })
  }
})
