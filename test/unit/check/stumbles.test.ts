/** A violation that is known is not lost when the search for its causes comes to something that cannot be checked. */
import { expect, test } from 'vitest'
import { classProgram } from '../../../src/check/objects/class-program.ts'
import { type CheckOptions, checkRequest } from '../../../src/check/request.ts'
import { runCheck } from '../../../src/check/run.ts'
import { type Diagnostic, DiagnosticError, orThrow } from '../../../src/core/diagnostic.ts'
import { InternalError } from '../../../src/core/invariant.ts'
import { settingFrom } from '../../../src/core/setting.ts'
import { linearizable } from '../../../src/model/object.ts'
import type { ExplainOptions } from '../../../src/program/program.ts'
import { loadText } from '../../agreement/object-agreement.ts'

const loaded = await loadText(`
export class Dated {
  n = 0
  async inc() { const n = this.n; await null; this.n = n + 1; return n + 1 }
  async now() { await null; return Date.now() }
}`)

function program() {
  const operations = { inc: [], now: [] }
  const declared = linearizable(loaded.classes.get('Dated') as new () => object, { operations })
  const check = declared.views.object?.(settingFrom({ params: {} }))
  if (check === undefined) throw new Error('a class is declared as one')
  return classProgram(check, loaded)
}

type Explain = (options: ExplainOptions) => Promise<readonly never[]>

async function found(explain?: Explain, options: CheckOptions = {}) {
  const request = orThrow(checkRequest(program(), { calls: 1, ...options }))
  const other = { ...request.program, explain: (_: unknown, given: ExplainOptions) => explain?.(given) }
  return await runCheck(explain === undefined ? request : ({ ...request, program: other } as never))
}

test('an operation that other clients call cannot be checked', async () => {
  const { verdict } = orThrow(await found())
  expect(verdict).toMatchObject({
    kind: 'violated',
    stumbled: { during: 'repair', code: 'E209', message: 'Date.now() was called' },
  })
  // Of the client that fails causes are known; whether they are those of others is not.
  const [causes] = verdict.evidence.filter(({ kind }) => kind === 'sections')
  expect(causes).toMatchObject({ applied: { holds: false }, repairs: [{}] })
})

test('a search that goes on for more violations comes to it', async () => {
  const { verdict } = orThrow(await found(undefined, { keepGoing: true, causes: false }))
  expect(verdict).toMatchObject({ kind: 'violated', exhausted: false, stumbled: { during: 'search', code: 'E209' } })
})

test.each([
  [
    'a defect of ours',
    () => new InternalError('this must hold: it is ours'),
    /^internal error: this must hold: it is ours$/,
  ],
  ['an error', () => new RangeError('too deep'), /^internal error: too deep$/],
])('%s', async (_, make, message) => {
  const thrown = await found(async () => {
    throw make()
  })
  const { verdict } = orThrow(thrown)
  expect(verdict).toMatchObject({
    kind: 'violated',
    stumbled: { during: 'causes', message: expect.stringMatching(message) },
  })
  // The next check does not meet it.
  expect(orThrow(await found(async () => [])).verdict).not.toHaveProperty('stumbled')
})

test('a change of built-ins is a mistake in any case: it may have made the violation', async () => {
  const change: Diagnostic = { code: 'E114', message: 'changed', hint: '' }
  const ran = await found(async () => {
    throw new DiagnosticError(change)
  })
  expect(ran).toMatchObject({ ok: false, diagnostics: [{ code: 'E114' }] })
})
