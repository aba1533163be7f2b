/** Faults strike also where nothing moves any more. */
import { expect, test } from 'vitest'
import { settingFrom } from '../../../../src/core/setting.ts'
import { pct } from '../../../../src/engines/random/pct.ts'
import { random } from '../../../../src/engines/random/random.ts'
import { checkResult, machine, type Program, system } from '../../../../src/index.ts'
import type { Runnable } from '../../../../src/program/program.ts'
import { pathsOf } from '../../../../src/semantics/world-path.ts'

interface Store {
  puts: number
}
type Message = { readonly kind: 'put' }

/** Comes back with its put only if it crashes after it: then nothing is under way, and nobody has anything to do. */
function restarted(restarts: number): Program {
  const store = machine<Store, Message>('store', {
    state: () => ({ puts: 0 }),
    durable: ['puts'],
    start: ({ puts }, { assert }) => assert(puts < 1, 'came back with its put'),
    on: {
      put: (state) => {
        state.puts++
      },
    },
  })
  const client = machine<Store, Message>('client', {
    state: () => ({ puts: 0 }),
    start: (_, { send }) => send('store', { kind: 'put' }),
  })
  return system('restarted', { faults: { crashes: restarts, restarts } }, () => ({
    machines: { store: store.as(), client: client.as() },
  }))
}

test.each(['random', 'pct', 'exhaustive', 'dpor', 'local', 'stateful'])(
  '%s finds what a crash after all else leads to',
  async (engine) => {
    const samples = engine === 'random' || engine === 'pct' ? { samples: 1_000 } : {}
    const found = await checkResult(restarted(1), { engine, ...samples })
    expect(found).toMatchObject({
      ok: true,
      value: { kind: 'violated', evidence: [{ violation: { message: 'came back with its put' } }] },
    })
    expect(await checkResult(restarted(0), { engine, ...samples })).toMatchObject({
      ok: true,
      value: { kind: engine in { random: 0, pct: 0 } ? 'passed' : 'verified' },
    })
  },
)

test.each([random, pct])('$name ends some executions as they are', (engine) => {
  const view = restarted(1).views.runnable?.(settingFrom({ params: {}, faults: { crashes: 1, restarts: 1 } }))
  const options = { seed: 1, samples: 1_000, depth: 3 }
  let [struck, spared] = [0, 0]
  for (const event of engine.explore(pathsOf(view as Runnable), options)) {
    if (event.kind !== 'execution') continue
    if (event.decisions().some(({ kind }) => kind === 'crash' || kind === 'restart')) struck++
    else spared++
  }
  expect(struck + spared).toBe(1_000)
  expect(Math.min(struck, spared)).toBeGreaterThan(0)
})
