import { describe, expect, test } from 'vitest'
import { parseProof } from '../../../../src/check/prove/proof-file.ts'
import { type ProofStep, proofFormat } from '../../../../src/engines/sequentialize/proof.ts'

const steps: readonly ProofStep[] = [
  { rule: 'step', party: 'main', statement: 1 },
  { rule: 'send', party: 'main', statement: 2, to: 'client' },
  { rule: 'receive', party: 'main', statement: 3, from: 'client' },
  { rule: 'branch', party: 'main', statement: 4, arms: [[{ rule: 'step', party: 'main', statement: 5 }], []] },
  { rule: 'unfold', set: 'client' },
  { rule: 'fold', set: 'client' },
  {
    rule: 'iterate',
    leaders: [{ party: 'main', statement: 6 }],
    over: 'client',
    takes: [{ from: 'client', to: 'main', index: 0 }],
    havoc: [{ party: 'main', variable: 'count' }],
    body: [{ rule: 'fold', set: 'client' }],
  },
]

/** Every way to take one field out of a step, or to put something else there. */
function damagedForms(step: object): readonly object[] {
  return Object.keys(step).flatMap((field) => {
    const { [field]: _, ...without } = step as Record<string, unknown>
    return field === 'over' ? [{ ...step, over: 7 }] : [without, { ...step, [field]: null }]
  })
}

function read(parsed: unknown): ReturnType<typeof parseProof> {
  return parseProof(JSON.stringify(parsed), 'lock.proof.json')
}

describe('a proof that was written down', () => {
  test('is read as it was', () => {
    const proof = { format: proofFormat, steps, term: 'sha256-1' }
    expect(read(proof)).toEqual({ ok: true, value: proof })
  })

  test('is read with the digest of its source, and without', () => {
    const proof = { format: proofFormat, steps, term: 'sha256-1', source: 'sha256-2' }
    expect(read(proof)).toEqual({ ok: true, value: proof })
    expect(read({ ...proof, source: 2 })).toMatchObject({ ok: false, diagnostics: [{ code: 'E418' }] })
  })

  test.each(steps.map((step) => [step.rule, step]))(
    'is refused if a step %s lacks a field or has another',
    (_, step) => {
      const damaged = damagedForms(step)
      expect(damaged.length).toBeGreaterThan(0)
      for (const one of damaged) {
        const message = expect.stringContaining('lock.proof.json is not a proof: steps[0]')
        expect(read({ format: proofFormat, term: 'sha256-1', steps: [one] }), JSON.stringify(one)).toMatchObject({
          ok: false,
          diagnostics: [{ code: 'E418', message }],
        })
      }
    },
  )

  test('is refused if a step inside of a step is damaged', () => {
    const inside = { rule: 'step', party: 'main' }
    const outside = [
      { rule: 'branch', party: 'main', statement: 4, arms: [[inside]] },
      { rule: 'iterate', leaders: [], takes: [], havoc: [], body: [inside] },
    ]
    for (const one of outside) expect(read({ format: proofFormat, steps: [one] })).toMatchObject({ ok: false })
  })

  test('is refused if its statements are no whole numbers', () => {
    for (const statement of [1.5, 2 ** 60, '1'])
      expect(read({ format: proofFormat, steps: [{ rule: 'step', party: 'main', statement }] }).ok).toBe(false)
  })
})
