import { performance } from 'node:perf_hooks'
import { describe, expect, test } from 'vitest'
import { loadPrograms } from '../../../../src/check/load.ts'
import { writtenProof } from '../../../../src/check/prove/proof-file.ts'
import {
  checkSavedProof,
  type Proved,
  type ProveOptions,
  proofIn,
  proveProgram,
  termOf,
} from '../../../../src/check/prove/prove.ts'
import type { Params } from '../../../../src/core/setting.ts'
import { sequentialize } from '../../../../src/engines/sequentialize/sequentialize.ts'
import type { Program } from '../../../../src/program/program.ts'
import { long } from '../../../amount.ts'

const fixtures = 'test/cli/fixtures/prove'

async function loaded(file: string, name: string): Promise<Program> {
  const found = await loadPrograms(`${fixtures}/${file}`)
  const program = found.ok ? found.value.programs.find((one) => one.program.name === name)?.program : undefined
  if (program === undefined) throw new Error(`no program ${name} in ${file}`)
  return program
}

const options: ProveOptions = { milliseconds: 60_000, now: () => performance.now() }

async function proved(program: Program, other: Partial<ProveOptions> = {}): Promise<Proved> {
  const result = await proveProgram(program, { ...options, ...other })
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'))
  return result.value
}

describe('proving a program', () => {
  test('explores nothing if there is a proof', async () => {
    const explored: Params[] = []
    const answer = await proved(await loaded('lock.check.ts', 'right'), { onSizes: (sizes) => explored.push(sizes) })
    expect(explored).toEqual([])
    expect(answer).toMatchObject({
      checked: { verdict: { kind: 'proved', scope: { sizes: { clients: 1 } }, counts: { steps: 8 } } },
    })
  })

  test('stops at the smallest sizes with a violation', async () => {
    const explored: Params[] = []
    const answer = await proved(await loaded('lock.check.ts', 'wrong'), { onSizes: (sizes) => explored.push(sizes) })
    expect(explored).toEqual([{ clients: 1 }, { clients: 2 }])
    expect(answer).toMatchObject({
      checked: { verdict: { kind: 'violated' } },
      options: { params: { clients: 2 } },
    })
  })

  test('says which sizes were not explored when there was no time for them', async () => {
    // The clock stands still for the first size and is past everything after it.
    const times = [0, 0, 0, 0]
    const answer = await proved(await loaded('lock.check.ts', 'vague'), { now: () => times.shift() ?? 1e9 })
    expect(proofIn(answer, 'sha256-0')).toBeUndefined()
    expect(answer.checked).toMatchObject({
      verdict: {
        kind: 'incomplete',
        evidence: [
          {
            notCanonical: { reason: 'indiscriminate communication' },
            bounded: { sizes: [{ clients: 1 }], unfinished: [{ clients: 2 }, { clients: 3 }], because: 'time' },
          },
        ],
      },
    })
  })

  test('explores nothing any more once it is interrupted', async () => {
    const answer = await proved(await loaded('lock.check.ts', 'vague'), { signal: AbortSignal.abort() })
    expect(answer.checked).toMatchObject({
      verdict: { kind: 'incomplete', evidence: [], because: 'interrupt' },
    })
  })

  test('does not take what a solver makes up for an execution', long, async () => {
    const { verdict } = (await proved(await loaded('commit.check.ts', 'commit'))).checked
    const [, proof] = verdict.evidence
    expect(verdict.kind).toBe('incomplete')
    expect(proof).toMatchObject({
      assertions: [{ answer: 'proved' }, { answer: 'unknown' }, { answer: 'unknown' }],
      bounded: { sizes: [{ acceptors: 0 }, { acceptors: 1 }, { acceptors: 2 }, { acceptors: 3 }] },
    })
    expect(JSON.stringify(proof)).toContain('it depends on commit, whose value is not followed')
  })

  test('names the sizes at which a mistake in the program shows', async () => {
    const result = await proveProgram(await loaded('empty.check.ts', 'empty'), options)
    expect(result).toMatchObject({ ok: false, diagnostics: [{ code: 'E210' }] })
    const [diagnostic] = result.ok ? [] : result.diagnostics
    expect(diagnostic?.message).toMatch(/, with workers = 0 and jobs = 1$/)
  })
})

describe('a proof that was kept', () => {
  test('counts as many steps as when it was found', async () => {
    const program = await loaded('lock.check.ts', 'right')
    const found = await proved(program)
    const { verdict } = found.checked
    const proof = proofIn(found, 'sha256-0')
    if (proof === undefined) throw new Error('expected a proof')
    const again = await checkSavedProof(program, { proof, file: 'right.proof.json', now: options.now })
    expect(again).toMatchObject({ ok: true, value: { checked: { verdict } } })
  })

  test('proves nothing as long as an assertion is left open', async () => {
    const program = await loaded('assertion.check.ts', 'undecided')
    const term = termOf(program)
    const found = term.ok ? sequentialize(term.value) : undefined
    if (!term.ok || found?.kind !== 'assertions left') throw new Error(`expected assertions to be left: ${found?.kind}`)
    const kept = { proof: writtenProof(found.proof, term.value, 'sha256-0'), file: 'few.proof.json', now: options.now }
    expect(await checkSavedProof(program, kept)).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E418', place: { line: 13 } }],
    })
  })
})
