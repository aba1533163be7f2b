/** A register whose readers do not write back what they read: every engine of systems finds the read that is too old. */
import { checkResult } from 'allways'
import { expect, test } from 'vitest'
import { regular } from '../../corpus/abd-register/model.check.ts'
import { evidenceOf } from '../../src/core/evidence.ts'
import { cut, oneIn } from '../amount.ts'

const engines = ['dpor', 'random', 'stateful', 'pct', 'local']

test.each(oneIn(2, engines))('%s finds a read that is too old', cut, async (engine) => {
  await expectFound(engine, {})
})

test.each([...engines, 'exhaustive'])('%s finds it after a writer that crashed', async (engine) => {
  await expectFound(engine, { reached: 1 })
})

async function expectFound(engine: string, params: { readonly reached?: number }): Promise<void> {
  const sampled = engine === 'random' || engine === 'pct' ? { samples: 20_000 } : {}
  const result = await checkResult(regular, { engine, params, ...sampled })
  if (!result.ok) throw new Error(result.diagnostics[0]?.message)
  expect(result.value.kind).toBe('violated')
  const [found] = evidenceOf(result.value.evidence, 'execution')
  expect(found?.violation).toMatchObject({ kind: 'invariant', property: 'reads are in order' })
}
