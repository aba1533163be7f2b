/** Counterexamples of P programs as people read them: what is observed, entered, printed and deferred. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, describe, expect, test } from 'vitest'
import { allways } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-p-traces-'))
afterAll(() => rmSync(folder, { recursive: true }))

function written(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

async function checked(file: string, ...flags: readonly string[]) {
  const { stdout } = await allways(['check', file, ...flags, '--trace-dir', join(folder, 'traces')])
  return { stdout, rows: stdout.split('\n').map((line) => line.replaceAll(/[│\s]+/g, ' ').trim()) }
}

const watched = written(
  'watched.p',
  `event eA: int; event eB; event eSaid: int;
machine Srv { start state Idle { on eA goto Busy; } state Busy { entry { announce eSaid, 7; print "busy"; } on eB do { } } }
machine Main { start state Begin { entry { var s: machine; s = new Srv(); send s, eA, 1; send s, eB; } } }
spec Quiet observes eA, eB { start state Open { on eA goto Closed; } state Closed { } }
spec Silent observes eSaid { start state Open { on eSaid do (n: int) { assert n < 7, "said too much"; } } }
spec Indifferent observes eA { start state S { ignore eA; } }
test quiet [main=Main]: assert Quiet in { Main, Srv };
test silent [main=Main]: assert Silent, Indifferent in { Main, Srv };
`,
)

describe('what a monitor is told', () => {
  test('stands in its column, with the state that it goes to; the send that breaks it is drawn', async () => {
    const { rows } = await checked(watched, '--test-name', 'quiet')
    expect(rows).toContainEqual(expect.stringMatching(/^quiet · stateful · 3-step trace/))
    expect(rows).toContainEqual(expect.stringMatching(/^2 #0 eA.* ─○ Srv/))
    const seen = rows.findIndex((row) => row.startsWith('sees eA'))
    expect(`${rows[seen]} ${rows[seen + 1]}`).toMatch(/goes to Closed/)
    const sent = rows.findIndex((row) => /^3 #1 eB ─○ Srv/.test(row))
    expect(rows.slice(sent + 1, sent + 3)).toEqual(['sees eB', expect.stringContaining('✗ Quiet: unhandled event eB')])
  })

  test('is also what is announced; monitors that did not fail are not drawn', async () => {
    const { stdout, rows } = await checked(watched, '--test-name', 'silent')
    const announced = rows.findIndex((row) => row.startsWith('announces eSaid'))
    expect(rows[announced - 1]).toMatch(/^goes to Busy/)
    expect(rows[announced + 1]).toMatch(/^sees eSaid/)
    expect(stdout.slice(0, stdout.indexOf('   At'))).not.toContain('Indifferent')
  })

  test('is in the trace file, as its schema says, and comes back from there', async () => {
    const { stdout } = await checked(watched, '--test-name', 'silent', '--json')
    const { trace } = JSON.parse(stdout).results[0]
    const file = JSON.parse(readFileSync(trace, 'utf8'))
    const schema: object = JSON.parse(readFileSync('schema/allways-trace-2.json', 'utf8'))
    const validate = new Ajv({ strict: false }).compile(schema)
    expect(validate(file), JSON.stringify(validate.errors)).toBe(true)
    const shown = await allways(['show', trace])
    const replayed = await allways(['replay', trace, watched])
    for (const text of [shown.stdout, replayed.stdout]) {
      expect(text).toContain('announces eSaid')
      expect(text).toContain('sees eSaid')
    }
    expect((await allways(['show', trace, '--reporter', 'mermaid'])).stdout).toMatch(/Note over p\d: sees eSaid/)
  })
})

describe('what machines do between steps', () => {
  const lock = written(
    'lock.p',
    `event eAcq: machine; event eGrant;
machine Main { start state I { entry { var s: machine; s = new Srv(); new Cli(s); new Cli(s); } } }
machine Srv { start state Free { on eAcq do (c: machine) { print "granted"; send c, eGrant; goto Held; } } state Held { defer eAcq; } }
machine Cli { start state Ask { entry (s: machine) { send s, eAcq, this; receive { case eGrant: { raise halt; } } } } }
test lock [main=Main]: { Main, Srv, Cli };
`,
  )

  test('is told: the state they go to, what they print, and that they halt', async () => {
    const { stdout, rows } = await checked(lock)
    expect(rows).toContainEqual(expect.stringMatching(/^goes to Held/))
    expect(rows).toContainEqual(expect.stringMatching(/^prints "granted"/))
    expect(rows).toContainEqual(expect.stringMatching(/^halts/))
    expect(stdout).not.toContain('by assume')
  })

  test('who waits for ever is told with its state, and who defers with what', async () => {
    const { stdout } = await checked(lock)
    const why = stdout.slice(stdout.indexOf('   Why'), stdout.indexOf('   At')).replaceAll(/\s+/g, ' ')
    expect(why).toMatch(/Cli(#2)? waits for eGrant in state Ask at \S+:4; its inbox is empty/)
    expect(why).toMatch(/Srv is in state Held, which defers eAcq/)
  })

  test('does not change what engines count, and no line is wider than a page', async () => {
    for (const engine of ['stateful', 'exhaustive', 'random']) {
      const { stdout } = await checked(lock, '--engine', engine)
      expect(stdout).not.toContain('do not affect the outcome')
      expect(
        Math.max(...stdout.split('\n').map((line) => (line.includes(folder) ? 0 : [...line].length))),
      ).toBeLessThan(101)
    }
  })
})
