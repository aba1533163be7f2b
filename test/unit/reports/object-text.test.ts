/** Whole outputs, kept beside this file. */
import { describe, expect, test } from 'vitest'
import type { Causes } from '../../../src/core/evidence.ts'
import { textReport, textResult } from '../../../src/reports/text.ts'
import { widthOf } from '../../../src/reports/text-width.ts'
import { causes, counts, incomplete, reportedObject, scope, stuck, twice, verified, violated } from './objects.ts'

async function golden(text: string, name: string): Promise<void> {
  for (const line of text.split('\n')) expect(widthOf(line), line).toBeLessThanOrEqual(100)
  expect(text).not.toMatch(/[ \t]$/m)
  await expect(`${text}\n`).toMatchFileSnapshot(`./golden/${name}.txt`)
}

function lines(text: string): string {
  return text.replaceAll(/\n +/g, ' ')
}

describe('a class that holds takes a few lines', () => {
  test('which say how many clients there are, of which size, and that larger ones may fail', async () => {
    await golden(textResult(reportedObject(verified())), 'object-verified')
  })

  test('which name everything that is not as it is by default', () => {
    const unusual = {
      ...scope,
      granularity: 'await',
      criterion: 'outcomes',
      specification: 'queue',
      deadlock: 'allow',
      options: { ...scope.options, stateless: true, static: false, order: 'random' },
      seed: 7,
    } as const
    const text = lines(textResult(reportedObject(verified({ scope: unusual }))))
    expect(text).toContain('Stack returns only what some order of its calls explains: 12 clients')
    expect(text).toContain('every interleaving at awaits, results alone, whatever the order in time')
    expect(text).toContain('specification queue, deadlock allowed')
    expect(text).toContain('lazy reduction, without safe sets, states not remembered, random order, seed 7')
  })

  test('which never speak of all clients when some were given', () => {
    const given = { ...scope, params: {} }
    const one = lines(textResult(reportedObject(verified({ scope: given, counts: { ...counts, clients: 1 } }))))
    expect(one).toContain('Stack is linearizable: the client given, every interleaving of accesses')
    expect(one).toContain('other clients may still fail')
    const two = lines(textResult(reportedObject(verified({ scope: given, counts: { ...counts, clients: 2 } }))))
    expect(two).toContain('the 2 clients given')
  })

  test('incomplete says how many clients are left, and what stopped it', async () => {
    const verdict = incomplete('interrupt')
    await golden(textResult(reportedObject(verdict)), 'object-incomplete')
    const resume = 'npx allways linearize --resume .allways/checkpoints/stack.1a2b3c4d.json'
    expect(textResult(reportedObject(verdict, { commands: { resume } }))).toContain(`\n   resume   ${resume}`)
  })
})

describe('a class that fails is a page', () => {
  test('which claims no more for a replay than the one execution', () => {
    const text = lines(textResult(reportedObject(violated({ scope: { ...scope, isReplay: true }, counts: {} }))))
    expect(text).toMatch(/\d+-step trace, repeated alone, access by access/)
    expect(text).not.toContain('every interleaving')
  })

  test('which says how many violations of the same sort are left out', () => {
    const told = lines(textResult(reportedObject(violated({ alike: 38 }))))
    expect(told).toContain('38 more violations of the same sorts are not shown')
    expect(lines(textResult(reportedObject(violated({ alike: 0 }))))).not.toContain('not shown')
  })

  test('with the client, the history, the steps, the lines that must be atomic, and commands', async () => {
    await golden(textResult(reportedObject(violated())), 'object-violated')
  })

  test('in ASCII too', async () => {
    const text = textResult(reportedObject(violated()), { ascii: true })
    expect(text).toMatch(/^[\x20-\x7e\n]*$/)
    await golden(text, 'object-violated-ascii')
  })

  test('a deadlock says who waits where', async () => {
    const verdict = violated({ found: [stuck], causes: null })
    await golden(textResult(reportedObject(verdict, { commands: {}, program: 'Forks' })), 'object-deadlock')
  })

  test('several violations are told apart, causes are told once', () => {
    const other = { ...twice, client: { ...twice.client, text: '{ pop() } || { pop() }' } }
    const text = textReport([reportedObject(violated({ found: [twice, other] }))])
    expect(text).toContain('Stack is not linearizable (1 of 2)')
    expect(text).toContain('Stack is not linearizable (2 of 2)')
    expect(text.match(/root cause 1/g)).toHaveLength(1)
  })
})

describe('what is said about causes', () => {
  function about(changes: Partial<Causes>): string {
    return lines(textResult(reportedObject(violated({ causes: { ...causes, ...changes } }))))
  }

  test('names the clients that verify with the repair', () => {
    expect(about({})).toContain('with these lines atomic, all 36 clients of up to 2 processes × 2 calls verify')
    const only = { sections: [], clients: 1, holds: true }
    expect(about({ applied: only })).toContain(
      'with these lines atomic, the only client of up to 2 processes × 2 calls verifies',
    )
  })

  test('does not claim more than was settled', () => {
    expect(about({ applied: undefined })).toContain('whether that is enough for all clients was not settled')
    const some = { ...causes.applied, sections: causes.applied?.sections ?? [], clients: 7, holds: false }
    expect(about({ applied: some })).toContain('with these lines atomic, 7 clients verify; the others were not settled')
  })

  test('adds the lines that other clients need', () => {
    const push = { file: 'stack.ts', function: 'Stack.push', lines: { first: 9, last: 10 } }
    const applied = { sections: [...(causes.repairs[0]?.sections ?? []), push], clients: 36, holds: true }
    expect(about({ applied })).toContain('other clients also need lines 9–10 of Stack.push to be atomic')
  })

  test('says that nothing was found, that limits were reached, and that not everything is ruled out', () => {
    expect(about({ repairs: [] })).toContain('no lines were found that would rule this out')
    expect(about({ capped: true })).toContain('limits were reached')
    expect(about({ violating: 12 })).toContain('this rules out 9 of 12 violating executions')
  })
})
