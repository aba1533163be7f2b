/** P programs that refine a specification: what is told, and which mistakes are refused. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { allways } from './harness.ts'
import { expectMistake, unwrapped } from './mistake.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-p-refines-'))
afterAll(() => rmSync(folder, { recursive: true }))

const program = `event eTold: (n: int, by: machine);
event eUnused: int;
machine Main { start state Init { entry { announce eTold, (n = choose(2), by = this); new Other(); } } }
machine Other { start state Init { entry { announce eTold, (n = 1, by = this); } } }
test tcOne [main=Main]: { Main, Other };`

let made = 0
/** A check file, with the program beside it. */
function written(options: string): string {
  const name = `m${++made}`
  writeFileSync(join(folder, `${name}.p`), program)
  const file = join(folder, `${name}.check.ts`)
  writeFileSync(
    file,
    `import { pModel, refuse, specification } from 'allways'
const once = specification('once', {
  state: { told: [] as number[] },
  operations: {
    tell({ told }, { n }: { readonly n: number }) {
      return told.includes(n) ? refuse('it was told') : { told: [...told, n] }
    },
  },
})
const other = specification('other', { state: {}, operations: { tell: (state: object) => state } })
let asked = 0
export default pModel('./${name}.p', ${options})
`,
  )
  return file
}

function refining(calls: string): string {
  return written(`{ refines: [{ object: once, calls: { ${calls} } }] }`)
}

const right = 'eTold: ({ n }: { n: number }) => once.tell({ n })'

describe('a P program that refines a specification', () => {
  test('is told both calls, and the object', async () => {
    const file = refining(right)
    const { code, stdout } = await allways(['check', file, '--json', '--trace-dir', folder])
    expect(code).toBe(1)
    const [{ engine, violation, setting, trace }] = JSON.parse(stdout).results
    expect({ engine, violation, setting }).toMatchObject({
      engine: 'stateful',
      setting: { refines: ['once'] },
      violation: {
        kind: 'refinement',
        property: 'once',
        message: 'tell {n: 1}: it was told',
        place: { line: 4 },
        picture: ['once is {told: [1]}'],
        calls: [
          { process: 'Main', words: 'tell {n: 1}' },
          { process: 'Other', words: 'tell {n: 1}' },
        ],
      },
    })
    expect(await allways(['replay', trace, file])).toMatchObject({ code: 1, stderr: '' })
  })

  test('says what was refined, and which events never came', async () => {
    const loose = 'eTold: ({ n }: { n: number }) => other.tell({ n }), eUnused: () => other.tell({})'
    const { code, stdout } = await allways(['check', written(`{ refines: [{ object: other, calls: { ${loose} } }] }`)])
    expect(code).toBe(0)
    expect(stdout).toContain('refined: other, whose calls are allowed in every execution')
    expect(stdout).toContain('note: other, by event eUnused, is never called')
    expect(stdout).not.toContain('by event eTold')
  })

  test('is refused by engines that do not see all calls, and by reductions', async () => {
    const file = refining(right)
    const hint = 'use --engine stateful, exhaustive, random or pct'
    for (const engine of ['dpor', 'local'])
      await expectMistake(['check', file, '--engine', engine], {
        code: 'E309',
        message: 'a specification, such as',
        hint,
      })
    await expectMistake(['check', file, '--engine', 'symbolic'], {
      code: 'E302',
      message: 'engine "symbolic" cannot decide properties of kind "refinement"',
      hint: 'engines that can: exhaustive, random, pct, stateful',
    })
    for (const flags of [['--reduction', 'safe'], ['--symmetry']])
      expect(unwrapped((await allways(['check', file, ...flags])).stderr)).toContain(
        'leave out --reduction and --symmetry',
      )
  })

  test.each([
    [
      'eTold: () => { throw new Error("no") }',
      'E227',
      '"eTold" of specification "once" threw Error: no',
      'return a call',
    ],
    ['eTold: () => 7 as never', 'E227', 'returns 7, and not a call', 'what one of its operations makes: tell'],
    ['eTold: () => undefined as never', 'E227', 'returns undefined, and not a call', 'tell'],
    ['eTold: () => other.tell({})', 'E227', 'returns a call of another specification, named "other"', 'tell'],
    ['eTold: (p: { by: object }) => once.tell({ n: p.by as never })', 'E227', 'a machine or an event in it', 'numbers'],
    ['eTold: () => once.tell({ n: asked++ })', 'E201', 'returned another call for the same payload', 'alone'],
  ])('is told what is wrong with %s', async (calls, code, message, hint) => {
    const { code: status, stderr } = await allways(['check', refining(calls), '--trace-dir', folder])
    expect(status).toBe(2)
    const text = unwrapped(stderr)
    for (const part of [` ${code}  `, message, hint]) expect(text).toContain(part)
  })

  test.each([
    ['{ refines: [{ object: once, calls: { eTodl: () => once.tell({ n: 1 }) } }] }', 'no event "eTodl"', '"eTold"'],
    ['{ refines: [{ object: {} as never, calls: {} }] }', 'and not a specification', 'refines: [{ object: register'],
    ['{ refines: [{ object: once, calls: {} }] }', '"calls" of specification "once" names no events', 'refines: ['],
    ['{ refines: [{ object: once, calls: { eTold: 1 as never } }] }', '"eTold" in "calls"', 'refines: ['],
    ['{ refines: [{ object: once } as never] }', 'refines[0] lack "calls"', 'an object'],
    [`{ refines: [1, 2].map(() => ({ object: once, calls: { ${right} } })) }`, 'two specifications are named', 'own'],
    [
      `{ abstract: { T: { classes: { a: 'many' } } }, refines: [{ object: once, calls: { ${right} } }] }`,
      'has both "refines" and "abstract"',
      'leave one of them out',
    ],
  ])('is not declared as %s', async (options, message, hint) => {
    await expectMistake(['check', written(options)], { code: 'E107', message, hint })
  })
})
