/** Async processes that receive by sender, repeat and are spawned in sets, through the real transform. */
import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { transform } from '../../../../src/frontends/typescript/transform.ts'
import * as allways from '../../../../src/index.ts'
import * as coroutine from '../../../../src/model/coroutine.ts'
import { counts, violations } from '../../model/shared/explored.ts'

function loaded(source: string): allways.Program {
  const result = transform(source, 'sample.ts')
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  const { code } = transformSync(result.value.code, { loader: 'ts', format: 'cjs', target: 'node20' })
  const module = { exports: {} as { default?: allways.Program } }
  const required = (name: string) => (name === 'allways' ? allways : coroutine)
  new Function('module', 'exports', 'require', code)(module, module.exports, required)
  if (module.exports.default === undefined) throw new Error('the sample exports no program')
  return module.exports.default
}

const lockServer = (from: string) => `
  import { every, program, receive, repeat, self, send, spawnAll } from 'allways'

  async function client(server) {
    await send(server, { kind: 'lock', from: await self() })
    await receive('ack')
    await send(server, { kind: 'unlock' })
  }

  export default program('lock server', { params: { clients: every(3) } }, async ({ clients }) => {
    const all = await spawnAll(clients, 'client', client, await self())
    await repeat(clients, async (index) => {
      const { from } = await receive('lock')
      await send(from, { kind: 'ack' })
      await receive('unlock', { from: ${from} })
    })
  })`

test('an async lock server serves its clients in every order', () => {
  const right = loaded(lockServer('from'))
  expect([counts(right), violations(right)]).toEqual(['6/0', []])
})

test('one that waits for the clients in turn is stuck, waiting for the one whose turn it is', () => {
  const stuck = violations(loaded(lockServer('all[index]')))
  const mains = stuck.map((message) => /main (waits for [^,]*)/.exec(message)?.[1])
  expect(mains).toEqual([
    'waits for a message of kind "unlock" from client 0',
    'waits for a message of kind "unlock" from client 0',
    'waits for a message of kind "unlock" from client 1',
  ])
})

test('a repeat that is not awaited goes on by itself', () => {
  const source = `
    import { program, repeat, self, send } from 'allways'
    export default program('forgotten', async () => {
      const me = await self()
      repeat(2, async () => { await send(me, 1) })
      await send(me, 2)
    })`
  // Only one order: all are sends of one process, in the order in which they are called.
  expect([counts(loaded(source)), violations(loaded(source))]).toEqual(['1/0', []])
})
