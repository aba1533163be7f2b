/** Forms that a translation may take for something else: what check violates for one or two processes is not called proved. */
import { performance } from 'node:perf_hooks'
import { describe, expect, test } from 'vitest'
import { checkResult } from '../../../../src/check/check.ts'
import { loadPrograms } from '../../../../src/check/load.ts'
import { proveProgram } from '../../../../src/check/prove/prove.ts'
import { Divergence } from '../../../../src/semantics/icet/divergence.ts'

const loaded = await loadPrograms('test/cli/fixtures/prove/readings.check.ts')
if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics))
const programs = loaded.value.programs.map(({ program }) => [program.name, program] as const)

describe('a program whose source is easily misread', () => {
  test.each(programs)('%s is violated for some size', async (_name, program) => {
    const verdicts = [1, 2].map(async (n) => {
      const result = await checkResult(program, { params: { n } })
      return result.ok ? result.value.kind : JSON.stringify(result.diagnostics)
    })
    expect(await Promise.all(verdicts)).toContain('violated')
  })

  test.each(programs)('%s is not called proved', async (_name, program) => {
    const options = { milliseconds: 5_000, now: () => performance.now() }
    const found = await proveProgram(program, options).catch((error: unknown) => error)
    if (found instanceof Divergence) return
    const result = found as Awaited<ReturnType<typeof proveProgram>>
    const kind = result.ok ? result.value.checked.verdict.kind : 'refused'
    expect(kind).not.toBe('proved')
  })
})
