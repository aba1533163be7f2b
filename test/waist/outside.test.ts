/**
 * An engine and a front end are a folder and a line in a registry: everything else learns of them from what they declare. Here
 * both come from outside, and the command line is used as a user would use it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { registerFrontEnd } from '../../src/check/load.ts'
import { registerEngine } from '../../src/engines/registry.ts'
import { allways, fixtures } from '../cli/harness.ts'
import { odometer } from './toy-engine.ts'
import { toys } from './toy-front-end.ts'

registerEngine(odometer)
registerFrontEnd(toys)

const folder = mkdtempSync(join(tmpdir(), 'allways-outside-'))
const steps = 'test/waist/fixtures/steps.toy'
const holds = `${fixtures}/holds.check.ts`

afterAll(() => rmSync(folder, { recursive: true }))

interface Result {
  readonly program: string
  readonly engine: string
  readonly verdict: string
  readonly counts: { readonly executions: number }
  readonly trace: string | null
}

async function results(...argv: readonly string[]) {
  const ran = await allways([...argv, '--reporter', 'json,text', '--trace-dir', folder])
  return { ...ran, results: (JSON.parse(ran.stdout) as { readonly results: readonly Result[] }).results }
}

describe('an engine from outside', () => {
  test('is listed with its options', async () => {
    const { stdout } = await allways(['list', '--engines', '--json'])
    const { engines } = JSON.parse(stdout) as { readonly engines: readonly { readonly name: string }[] }
    expect(engines.find(({ name }) => name === 'odometer')).toMatchObject({
      claims: 'verified',
      options: { direction: { values: ['up', 'down'], default: 'up' } },
    })
  })

  test('has a flag for each option, in the help and validated', async () => {
    expect((await allways(['check', '--help'])).stdout).toContain('--direction <name>')
    const wrong = await allways(['check', holds, '--engine', 'odometer', '--direction', 'upp'])
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "up"?') })
    const elsewhere = await allways(['check', holds, '--engine', 'exhaustive', '--direction', 'up'])
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('it is an option of odometer') })
  })

  test.each(['up', 'down'])('explores what exhaustive explores, %s', async (direction) => {
    const [theirs] = (await results('check', `${holds}:4`, '--engine', 'exhaustive', '--param', 'n=2')).results
    const ours = await results(
      'check',
      `${holds}:4`,
      '--engine',
      'odometer',
      '--param',
      'n=2',
      '--direction',
      direction,
    )
    expect(ours).toMatchObject({
      code: 0,
      results: [{ verdict: 'verified', counts: { executions: theirs?.counts.executions } }],
    })
  })

  test('is saved and resumed with its options, to the total of one run', async () => {
    const argv = ['check', `${holds}:4`, '--engine', 'odometer', '--direction', 'down', '--param', 'n=2']
    const whole = await results(...argv)
    let part = await results(...argv, '--max-executions', '2')
    for (let runs = 0; part.code === 3 && runs < 100; runs++) {
      const checkpoint = /--resume (\S+)/.exec(part.stderr)?.[1] as string
      part = await results('check', '--resume', checkpoint, '--max-executions', '3')
    }
    expect(part).toMatchObject({ code: 0, results: [{ verdict: 'verified', counts: whole.results[0]?.counts }] })
  })

  test('its violations are judged, reported and replayed', async () => {
    const found = await results('check', `${fixtures}/race.check.ts`, '--engine', 'odometer')
    expect(found).toMatchObject({ code: 1, results: [{ engine: 'odometer', verdict: 'violated' }] })
    const replayed = await allways(['replay', found.results[0]?.trace as string])
    expect(replayed).toMatchObject({ code: 1, stdout: expect.stringContaining('found by odometer') })
  })
})

describe('a front end from outside', () => {
  test('lists its programs with their places', async () => {
    const { stdout } = await allways(['list', steps])
    expect(stdout).toContain('steps.toy:2  meet')
  })

  test('has programs that are explored, sampled, saved and resumed', async () => {
    // Two and two steps interleave in 6 ways, three single steps in 6.
    const found = await results('check', steps, '-t', 'a')
    expect(found).toMatchObject({
      code: 0,
      results: [{ program: 'apart', engine: 'exhaustive', verdict: 'verified', counts: { executions: 6 } }],
    })
    expect(await results('fuzz', steps, '-t', 'three', '--samples', '5')).toMatchObject({
      code: 0,
      results: [{ verdict: 'passed', counts: { executions: 5 } }],
    })
    const part = await results('check', steps, '-t', 'three', '--max-executions', '2')
    const checkpoint = /--resume (\S+)/.exec(part.stderr)?.[1] as string
    expect(await results('check', '--resume', checkpoint)).toMatchObject({
      code: 0,
      results: [{ verdict: 'verified', counts: { executions: 6 } }],
    })
  })

  test('has violations that are judged, reported, replayed and shown', async () => {
    const found = await results('check', steps, '-t', 'meet')
    expect(found).toMatchObject({ code: 1, results: [{ verdict: 'violated' }] })
    const trace = found.results[0]?.trace as string
    expect(await allways(['replay', trace])).toMatchObject({ code: 1, stdout: expect.stringContaining('reproduced') })
    expect(await allways(['show', trace])).toMatchObject({ code: 0, stdout: expect.stringContaining('recorded') })
  })

  test('tells its mistakes', async () => {
    const wrong = await allways(['check', 'test/waist/fixtures/none.toy'])
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('E101') })
  })
})
