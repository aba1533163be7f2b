import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import * as allways from '../../../../src/index.ts'

const example = (name: string): string => fileURLToPath(new URL(`../../../../examples/${name}`, import.meta.url))
const engine = 'sequentialize'

test('code is told what allways prove tells: a proof, or what small sizes show', async () => {
  const options = { engine, testName: 'task service' }
  expect(await allways.check(example('task-service.check.ts'), options)).toMatchObject({ kind: 'proved' })
  const broken = await allways.checkResult(example('task-service.check.ts'), { engine, testName: 'one task' })
  expect(broken).toMatchObject({ value: { kind: 'violated', scope: { engine: 'dpor', params: { clients: 2 } } } })
  const unread = await allways.checkResult(example('lock.check.ts'), { engine })
  expect(unread).toMatchObject({ value: { kind: 'violated', scope: { params: { clients: 2 } } } })
})

test('what a search for a proof does not take is refused', async () => {
  const refused = await allways.checkResult(example('task-service.check.ts'), { engine, network: 'bag' })
  expect(refused).toMatchObject({ diagnostics: [{ code: 'E107', message: expect.stringContaining('network') }] })
  const ofTime = await allways.checkResult(example('task-service.check.ts'), { engine, time: 'x' })
  expect(ofTime).toMatchObject({ diagnostics: [{ code: 'E107', place: { file: expect.stringMatching(/from-code/) } }] })
})
