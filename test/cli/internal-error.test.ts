import { readFileSync, rmSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import type { Engine } from '../../src/engines/engine.ts'
import { exhaustive } from '../../src/engines/exhaustive/exhaustive.ts'
import { engines } from '../../src/engines/registry.ts'
import { allways, fixtures } from './harness.ts'

const saved = '.allways/internal-error.json'

/** Puts an engine into the registry for one test. */
function register(engine: Engine): void {
  ;(engines as Engine[]).push(engine)
}

afterEach(() => {
  ;(engines as Engine[]).pop()
  rmSync(saved, { force: true })
})

describe('a defect of ours', () => {
  test('an engine that invents a violation: exit 70, its name, and its decisions saved for the report', async () => {
    register({
      ...exhaustive,
      name: 'liar',
      *explore() {
        const violation = { kind: 'assertion', property: 'invented', message: 'invented', process: 'main' } as const
        yield { kind: 'violation', violation, decisions: [{ kind: 'step', process: 'main' }], foundIn: 1 }
      },
    })
    const ran = await allways(['check', `${fixtures}/holds.check.ts`, '-t', 'pair', '--engine', 'liar,dpor'])
    expect(ran.code).toBe(70)
    expect(ran.stderr).toContain('internal error: engine "liar" reported a violation that does not reproduce')
    expect(ran.stderr).toContain('while checking "pair" with liar')
    expect(ran.stderr).toContain(`the file ${saved}`)
    // The other engine is not kept from its verdict.
    expect(ran.stdout).toContain('verified  pair')
    expect(JSON.parse(readFileSync(saved, 'utf8'))).toMatchObject({
      format: 'allways-defect/1',
      engine: 'liar',
      program: 'pair',
      decisions: [{ kind: 'step', process: 'main' }],
      stack: expect.stringContaining('at judged'),
    })
  })

  test('a defect in one search leaves the results of the others in the JSON, and is named there', async () => {
    register({
      ...exhaustive,
      name: 'broken',
      *explore() {
        throw new TypeError('undefined is not a graph')
      },
    })
    const ran = await allways([
      'check',
      `${fixtures}/holds.check.ts`,
      '-t',
      'pair',
      '--engine',
      'broken,dpor',
      '--json',
    ])
    expect(ran.code).toBe(70)
    expect(JSON.parse(ran.stdout)).toMatchObject({
      results: [{ program: 'pair', engine: 'dpor', verdict: 'verified' }],
      defects: [{ program: 'pair', engine: 'broken', message: 'undefined is not a graph' }],
    })
  })

  test('an engine that breaks over a sound program: exit 70', async () => {
    register({
      ...exhaustive,
      name: 'broken',
      *explore() {
        throw new TypeError('undefined is not a graph')
      },
    })
    const ran = await allways(['check', `${fixtures}/holds.check.ts`, '-t', 'pair', '--engine', 'broken'])
    expect(ran.code).toBe(70)
    expect(ran.stderr).toContain('internal error: undefined is not a graph')
  })

  test('an engine that breaks over a program that does not repeat itself: that is the mistake, exit 2', async () => {
    register({
      ...exhaustive,
      name: 'broken',
      *explore() {
        throw new TypeError('undefined is not a graph')
      },
    })
    const ran = await allways(['check', `${fixtures}/mistakes/shared.check.ts`, '--engine', 'broken'])
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain('E201')
  })

  test('an engine that cannot decide a property is a diagnostic that names those that can', async () => {
    register({ ...exhaustive, name: 'narrow', decides: ['assertion', 'exception'] })
    const ran = await allways(['check', `${fixtures}/holds.check.ts`, '-t', 'pair', '--engine', 'narrow'])
    expect(ran.code).toBe(2)
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'E302 engine "narrow" cannot decide properties of kind "deadlock", which program "pair" has',
    )
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'engines that can: dpor, exhaustive, random, pct, stateful, sequentialize; or allow processes to wait for ever: --deadlock allow',
    )
    const allowed = await allways([
      'check',
      `${fixtures}/holds.check.ts`,
      '-t',
      'pair',
      '--engine',
      'narrow',
      '--deadlock',
      'allow',
    ])
    expect(allowed.code).toBe(0)
  })
})
