import { describe, expect, test } from 'vitest'
import { long } from '../amount.ts'
import { allways, fixtures } from './harness.ts'

describe('--workers', () => {
  test('says nothing where several threads may search, and changes no report', long, async () => {
    const argv = ['check', `${fixtures}/holds.check.ts:4`, '--param', 'n=4', '--json']
    const [alone, together] = [await allways(argv), await allways([...argv, '--workers', '3'])]
    const counts = ({ stdout }: typeof alone) => JSON.parse(stdout).results[0].counts
    expect(together).toMatchObject({ code: 0, stderr: alone.stderr })
    expect(counts(together)).toEqual(counts(alone))
  })

  test.each([
    [[`${fixtures}/holds.check.ts:4`, '--max-executions', '3'], 'a budget of executions counts them one by one'],
    [[`${fixtures}/holds.check.ts:4`, '--engine', 'stateful'], 'engine "stateful" explores "senders" in one piece'],
  ])('%j: one thread searches, and a note says why', async (argv, why) => {
    const { stderr } = await allways(['check', ...argv, '--workers', 'auto'])
    const { availableParallelism } = await import('node:os')
    if (availableParallelism() > 1) expect(stderr).toContain(` note: one thread searches: ${why}`)
  })
})
