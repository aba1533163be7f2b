/** Functions that P declares and TypeScript writes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { allways } from './harness.ts'
import { expectMistake, unwrapped } from './mistake.ts'

const fixture = 'test/cli/fixtures/p/foreign/model.check.ts'
const folder = mkdtempSync(join(tmpdir(), 'allways-p-foreign-'))
afterAll(() => rmSync(folder, { recursive: true }))

let made = 0
/** A check file and the P program beside it. */
function written(p: string, options: string): string {
  const name = `m${++made}`
  writeFileSync(join(folder, `${name}.p`), p)
  const file = join(folder, `${name}.check.ts`)
  writeFileSync(
    file,
    `import { pModel } from 'allways'\nlet calls = 0\nexport default pModel('./${name}.p', ${options})\n`,
  )
  return file
}

function calling(returns: string, call: string): string {
  return `fun F(n: int)${returns === '' ? '' : `: ${returns}`};
machine Main { start state Init { entry { ${call} } } }
test tcOne [main=Main]: { Main };`
}

describe('foreign functions', () => {
  test('are called with values of TypeScript, and give values of P', async () => {
    const { code, stdout } = await allways(['check', fixture, '--json', '--trace-dir', folder])
    const { results } = JSON.parse(stdout)
    expect(code).toBe(1)
    expect(results).toMatchObject([
      { program: 'tcLoud', verdict: 'violated', violation: { message: 'n is 2' } },
      { program: 'tcCalm', verdict: 'verified' },
    ])
    const [{ trace }] = results
    expect(await allways(['replay', trace])).toMatchObject({ code: 1 })
  })

  test('are listed where the check file names the program', async () => {
    const { stdout } = await allways(['list', fixture])
    expect(stdout).toContain(`${fixture}:3  tcLoud`)
  })

  test('in every engine and network', async () => {
    for (const engine of ['stateful', 'exhaustive']) {
      const { stdout } = await allways([
        ...['check', fixture, '--engine', engine, '--network', 'fifo,mailbox', '--json', '--trace-dir', folder],
        ...['-t', 'tcLoud'],
      ])
      const { results } = JSON.parse(stdout)
      expect(results).toHaveLength(2)
      for (const one of results) expect(one).toMatchObject({ engine, violation: { message: 'n is 2' } })
    }
  })

  test('that nobody wrote are refused before anything is explored, where a test can reach them', async () => {
    const ran = await allways(['check', 'test/cli/fixtures/p/foreign/model.p'])
    expect(ran).toMatchObject({ code: 2 })
    expect(ran.stdout).toContain('✓ verified  tcCalm')
    expect(ran.stderr).toMatch(/E231 {2}"Bigger" is written elsewhere(.|\n)*model\.p:21:11/)
    expect(unwrapped(ran.stderr)).toContain("pModel('./model.p', { foreign: { 'Main.Next': … } })")
  })

  test('that throw are findings', async () => {
    const file = written(calling('int', 'F(1);'), "{ foreign: { F: () => { throw new Error('no idea') } } }")
    const { code, stdout } = await allways(['check', file, '--json', '--trace-dir', folder])
    expect(code).toBe(1)
    const [{ violation }] = JSON.parse(stdout).results
    expect(violation).toMatchObject({ kind: 'exception', message: 'Main: foreign function: F threw Error: no idea' })
  })

  test('that answer differently are refused', async () => {
    const file = written(calling('int', 'F(1);'), '{ foreign: { F: () => calls++ } }')
    await expectMistake(['check', file], {
      code: 'E201',
      message: '"F" returned another value',
      hint: 'nothing that it remembers',
    })
  })

  test('that ask a clock, or never end, are refused', async () => {
    const clock = written(calling('int', 'F(1);'), '{ foreign: { F: () => Date.now() } }')
    await expectMistake(['check', clock], {
      code: 'E209',
      message: 'Date.now() was called',
      hint: 'computes from its arguments alone',
    })
    const endless = written(calling('int', 'F(1);'), '{ foreign: { F: () => { for (;;) calls++ } } }')
    await expectMistake(['check', endless], { code: 'E202', message: 'foreign function "F"', hint: 'bound the loop' })
  })

  test('that return what throws when it is looked at are findings', async () => {
    const evil = '{ foreign: { F: () => new Proxy({}, { ownKeys() { throw new Error("hands off") } }) } }'
    const file = written(calling('(a: int)', 'F(1);'), evil)
    const { code, stdout } = await allways(['check', file, '--json', '--trace-dir', folder])
    expect(code).toBe(1)
    expect(JSON.parse(stdout).results[0].violation.message).toContain('F threw Error: hands off')
  })

  test.each([
    ['int', "'1'", 'a string, and int is expected', 'whole number'],
    ['int', '1.5', 'the number 1.5, and int', 'whole number'],
    ['bool', '0', 'a whole number, and bool', 'bool'],
    ['seq[int]', 'new Set([1])', 'an object, and seq[int]', 'array'],
    ['seq[int]', '[1, undefined]', 'undefined, and int', 'whole number'],
    ['(int, int)', '[1]', 'an array, and (int, int)', 'as many items'],
    ['(a: int)', '({ a: 1, b: 2 })', 'an object, and (a: int)', 'exactly these fields: a'],
    ['machine', '({})', 'an object, and machine', 'return one that was given'],
    ['map[int, int]', '({})', 'an object, and map[int, int]', 'a Map'],
    ['any', '[1]', 'an array, and any', 'no certain type'],
    ['int', 'Promise.resolve(1)', 'a promise, and int', 'leave "async" out'],
    ['int', '(async () => 1)()', 'a promise, and int', 'leave "async" out'],
  ])('that return no %s but %s are refused', async (type, value, message, hint) => {
    const file = written(calling(type, 'F(1);'), `{ foreign: { F: () => ${value} } }`)
    await expectMistake(['check', file], { code: 'E232', message, hint })
  })

  describe('of types that are written elsewhere', () => {
    const queue = `type Queue;
fun Empty(): Queue; fun Add(q: Queue, n: int): Queue; fun Size(q: Queue): int; fun Same(q: Queue): Queue;
event eQueue: Queue;
machine Main { var q: Queue; var all: set[Queue]; var kept: any;
  start state Init {
    entry {
      assert q == default(Queue), "begins as null";
      q = Empty(); all += (q);
      q = Add(Add(q, choose(2)), choose(2)); all += (q); all += (Same(q));
      assert sizeof(all) == 2, "equal data is one value";
      assert q != Empty(), "others are others";
      kept = q; assert (kept as Queue) == q, "comes out of any again";
      send this, eQueue, q;
    }
    on eQueue do (got: Queue) { assert got == q && Size(got) == 2; assert got == Add(Add(Empty(), 0), 0), format("it is {0}", got); }
  } }
test tcQueue [main=Main]: { Main };`
    const functions = `Empty: () => ({ items: [], about: new Map([['first', null]]), share: 0.5 }),
  Add: (q, n) => { q.items.push(n); return { share: q.share, about: q.about, items: q.items } },
  Same: ({ about, items, share }) => ({ share, items, about }), Size: (q) => q.items.length`

    test.each(['stateful', 'exhaustive', 'dpor', 'symbolic'])('values are plain data for %s', async (engine) => {
      const file = written(queue, `{ foreign: { ${functions} } }`)
      const { stdout } = await allways(['check', file, '--engine', engine, '--json', '--trace-dir', folder])
      const [result] = JSON.parse(stdout).results
      expect(result).toMatchObject({ engine, verdict: 'violated' })
      expect(result.violation.message).toMatch(
        /^it is \(about = \{"first": null\}, items = \[\d, \d\], share = 0\.5\)$/u,
      )
      expect(await allways(['replay', '--trust', result.trace])).toMatchObject({ code: 1 })
    })

    test('null is the value that variables begin with', async () => {
      const text = calling('', 'F(1);')
        .replace('fun F', 'type T; fun G(t: T): bool; fun F')
        .replace('F(1)', 'assert G(default(T))')
      const file = written(text, '{ foreign: { F: () => 1, G: (t) => t === null } }')
      expect(await allways(['check', file, '--trace-dir', folder])).toMatchObject({ code: 0 })
    })

    test.each(['() => 1', 'new (class Queue {})()', 'undefined', '[Symbol()]', '({ a: undefined })', 'around'])(
      'nothing else is a value: %s',
      async (value) => {
        const given = `{ foreign: { F: () => { const around = []; around.push(around); return ${value} } } }`
        const file = written(`type T;\n${calling('T', 'F(1);')}`, given)
        await expectMistake(['check', file], { code: 'E232', message: 'and T is expected', hint: 'plain data' })
      },
    )

    test('a cast from any asks for the type', async () => {
      const text = calling('T', 'a = F(1); b = a as T; b = a as U;')
        .replace('fun F', 'type T; type U; fun F')
        .replace('entry {', 'entry { var a: any; var b: any;')
      const file = written(text, '{ foreign: { F: () => 1 } }')
      const { stdout } = await allways(['check', file, '--json', '--trace-dir', folder])
      expect(JSON.parse(stdout).results[0].violation.message).toContain('bad cast')
    })
  })
})

describe('pModel', () => {
  const calm = 'machine Main { start state Init { } }\ntest tcSafety [main=Main]: { Main };\nfun F(n: int): int;'

  test.each([
    ["{ test: 'tcSafty' }", 'E106', 'has no test "tcSafty"', 'tcSafety'],
    ['{ foreign: { G: () => 1 } }', 'E107', 'declares no function "G" without a body', 'F'],
    ['{ foreign: { F: 1 } }', 'E107', 'foreign.F is not a function', 'write F:'],
    ['{ foregin: {} }', 'E107', 'foregin', 'foreign'],
  ])('%s', async (options, code, message, hint) => {
    await expectMistake(['check', written(calm, options)], { code, message, hint })
  })

  test('of a path that is none', async () => {
    const file = join(folder, 'lost.check.ts')
    writeFileSync(file, "import { pModel } from 'allways'\nexport default pModel('./lost.p')\n")
    await expectMistake(['check', file], {
      code: 'E101',
      message: 'lost.p',
      hint: 'relative to the file that calls it',
    })
    writeFileSync(file, "import { pModel } from 'allways'\nexport default pModel('./lost.check.ts')\n")
    await expectMistake(['check', file], { code: 'E102', message: 'is not a P program', hint: 'a .p file' })
  })

  test('a trace notices that the P program has changed', async () => {
    const loud = calling('int', 'assert F(1) == 2;')
    const file = written(loud, '{ foreign: { F: () => 1 } }')
    const { stdout } = await allways(['check', file, '--json', '--trace-dir', folder])
    const [{ trace }] = JSON.parse(stdout).results
    expect(await allways(['replay', trace, file])).toMatchObject({ code: 1 })
    writeFileSync(file.replace('.check.ts', '.p'), `${loud}\n// Changed.\n`)
    const { stderr } = await allways(['replay', trace, file])
    expect(stderr).toMatch(/changed since the trace was written: .*\.p/)
  })
})
