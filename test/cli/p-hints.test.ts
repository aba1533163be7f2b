/** What newcomers to P are told: hints, notes, and where to go on. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { long } from '../amount.ts'
import { allways } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-p-hints-'))
afterAll(() => rmSync(folder, { recursive: true }))

function written(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

async function said(...argv: readonly string[]): Promise<string> {
  const { stdout, stderr } = await allways([...argv, '--trace-dir', join(folder, 'traces')])
  return `${stdout}${stderr}`.replaceAll(/\s+/g, ' ')
}

describe('habits of other languages', () => {
  const body = (text: string): string => `event eTok: (token: int);
machine Main { var xs: seq[int]; start state I { entry { var i: int; var token: int; ${text} } on eTok do { } } }
`

  test.each([
    ['for (i = 0; i < 3; i = i + 1) { i = 2; }', 'P has no "for"', 'foreach (x in xs)'],
    ['let x = 1;', 'P has no "let"', 'var x: int;'],
    ['xs.push(1);', 'is expected after the variable', 'P has no methods'],
    ['xs = [1, 2];', 'an expression is expected', 'a list has no literal'],
    ['send this, eTok, token;', 'carries "(token: int)"', '(token = token,)'],
  ])('%s is one mistake, with what P has instead', async (text, message, hint) => {
    const told = await said('check', written('habit.p', body(text)))
    expect(told.match(/✗ E\d+/g)).toHaveLength(1)
    expect(told).toContain(message)
    expect(told).toContain(hint)
  })
})

describe('a project', () => {
  mkdirSync(join(folder, 'lock', 'src'), { recursive: true })
  const main = written('lock/src/Main.p', 'machine Main { start state I { entry { new Lock(); } } }\n')
  written('lock/src/Lock.p', 'machine Lock { start state Free { entry { assert false, "taken"; } } }\n')
  written('lock/src/Test.p', '\ntest tcLock [main=Main]: { Main, Lock };\n')
  const project = written('lock/Lock.pproj', '<Project><InputFiles><PFile>src</PFile></InputFiles></Project>\n')

  test('is named by a mistake in one of its files that another would mend', async () => {
    const told = await said('check', main)
    expect(told).toContain('E710')
    expect(told).toMatch(/Lock\.p declares it: check both together, allways check \S+Lock\.pproj/)
  })

  test('is listed with the files of its tests, also as a folder', async () => {
    for (const listed of [project, join(folder, 'lock', 'src')]) {
      const { stdout } = await allways(['list', listed])
      expect(stdout).toMatch(/src\/Test\.p:2 {2}tcLock/)
      const json = JSON.parse((await allways(['list', listed, '--json'])).stdout)
      expect(json.programs).toMatchObject([{ line: 2, declaredIn: expect.stringMatching(/Test\.p$/) }])
    }
  })

  test('is replayed by its folder, as it is checked', async () => {
    const { stdout } = await allways(['check', join(folder, 'lock'), '--json', '--trace-dir', join(folder, 'traces')])
    const { trace } = JSON.parse(stdout).results[0]
    const replayed = await allways(['replay', trace, join(folder, 'lock')])
    expect(replayed).toMatchObject({ code: 1 })
    expect(replayed.stdout).toContain('taken')
  })
})

describe('what has no effect is said', () => {
  test('a monitor that is told nothing, which fails with --strict', async () => {
    const file = written(
      'told.p',
      `event eA; event eB;
machine Main { start state I { entry { send this, eA; } on eA do { } } }
spec Deaf observes eB { start state S { ignore eB; } }
spec Awake observes eA { start state S { ignore eA; } }
test t [main=Main]: assert Deaf, Awake in { Main };
`,
    )
    const { code, stdout } = await allways(['check', file])
    expect(code).toBe(0)
    expect(stdout).toContain('note: monitor "Deaf" is never told anything')
    expect(stdout).not.toContain('"Awake"')
    expect((await allways(['check', file, '--strict'])).code).not.toBe(0)
  })

  test('a state of a machine that is hot, and of a spec not', async () => {
    const file = written(
      'hot.p',
      `event eA;
machine Main { start hot state I { entry { send this, eA; } on eA do { } } }
spec Fine observes eA { start cold state S { ignore eA; } }
test t [main=Main]: assert Fine in { Main };
`,
    )
    const told = await said('check', file)
    expect(told.match(/! E733/g)).toHaveLength(1)
    expect(told).toContain('the state "I" of the machine "Main" is hot, which has no effect')
  })
})

describe('a verdict', () => {
  const endless = written(
    'endless.p',
    `event eTick: int; event eDone;
machine Main { start state I { entry { send this, eTick, 0; } on eTick do (n: int) { send this, eTick, n + 1; if (n == -1) announce eDone; } } }
spec Done observes eTick, eDone { start hot state Busy { ignore eTick; on eDone goto Idle; } cold state Idle { ignore eTick, eDone; } }
test t [main=Main]: assert Done in { Main };
test bare [main=Main]: { Main };
`,
  )

  test('that is incomplete says how to go on', long, async () => {
    const told = await said(
      'check',
      endless,
      '--test-name',
      'bare',
      '--memory',
      '200mb',
      '--time',
      '1s',
      '--network',
      'mailbox',
    )
    expect(told).toMatch(/to go on: a larger --(time|memory); fewer machines in the test; --network sender-queue/)
    expect(told).toContain('allways fuzz')
  })

  test('about an unhandled event says so, and what can be done', async () => {
    const file = written('unhandled.p', 'event eA;\nmachine Main { start state I { entry { send this, eA; } } }\n')
    const told = await said('check', file)
    expect(told).toContain('unhandled event in Main')
    expect(told).toContain('hint: handle, defer or ignore it there')
    expect(told).not.toContain('uncaught exception')
    const monitor = (then: string): string => `event eA;
machine Main { start state I { entry { send this, eA; } ignore eA; } }
spec Watch observes eA { start state S { ${then} } }
test t [main=Main]: assert Watch in { Main };
`
    const hint = 'hint: handle it or ignore it there'
    expect(await said('check', written('quiet.p', monitor('')))).toContain(hint)
    // It is not known by its words.
    const alike = monitor('on eA do { assert false, "Watch: unhandled event eA in state S"; }')
    const asserted = await said('check', written('alike.p', alike))
    expect(asserted).toContain('Watch: unhandled event eA in state S')
    expect(asserted).not.toContain(hint)
  })

  test('says what is assumed fair: choices only where they are', async () => {
    const chooses = (choice: string): string => `event eA; event eDone;
machine Main { start state I { entry { send this, eA; } on eA do { if (${choice}) announce eDone; else send this, eA; } } }
spec Done observes eA, eDone { start hot state Busy { ignore eA; on eDone goto Idle; } cold state Idle { ignore eA, eDone; } }
test t [main=Main]: assert Done in { Main };
`
    const unfair = await said('check', written('unfair.p', chooses('$')))
    expect(unfair).toMatch(/can repeat for ever, with these choices each time/)
    const fair = await said('check', written('fair.p', chooses('$$')))
    expect(fair).toContain('✓ verified')
    expect(fair).toContain('each option of a fair choice ($$) that is made again and again; other choices are not fair')
  })
})
