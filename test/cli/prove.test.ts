import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { Ajv } from 'ajv'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { long } from '../amount.ts'
import { allways, fixtures, type Ran } from './harness.ts'
import { expectMistake, unwrapped } from './mistake.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-prove-'))
const lock = `${fixtures}/prove/lock.check.ts`
const mixed = `${fixtures}/prove/mixed.check.ts`
const large = `${fixtures}/prove/large.check.ts`
const lockSource = readFileSync(lock, 'utf8')

afterAll(() => rmSync(folder, { recursive: true }))

async function prove(...argv: readonly string[]): Promise<Ran> {
  return await allways(['prove', ...argv, '--trace-dir', join(folder, 'traces')])
}

/** A file of its own, for what is said about its changes. */
function copied(name: string, source: string): string {
  const path = join(folder, name)
  writeFileSync(path, source)
  return path
}

describe('a program for every size', () => {
  test('is proved, exit 0, with its sequential program and the lines of both ends of every message', async () => {
    const ran = await prove(lock, '-t', 'right')
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain('✓ proved  right — no process waits for ever and none fails, for every clients ≥ 1')
    expect(ran.stdout.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, '  '))).toEqual(
      expect.arrayContaining([
        'for each client {  17',
        "main.lock = { kind: 'lock', from: client }  18 ← 8",
        "client takes { kind: 'granted' }  9 ← 19",
        "main takes { kind: 'unlock' }  20 ← 10",
      ]),
    )
  })

  test('is violated, exit 1, by the smallest sizes that fail, with a trace that replays', async () => {
    const ran = await prove(lock, '-t', 'wrong')
    expect(ran).toMatchObject({ code: 1, stderr: '' })
    expect(unwrapped(ran.stdout)).toContain('clients = 2, fifo, no faults')
    const [, trace = ''] = /npx allways replay (\S+)/.exec(ran.stdout) ?? []
    expect(existsSync(trace)).toBe(true)
    expect((await allways(['replay', trace])).code).toBe(1)
  })

  test(
    'is incomplete, exit 3, with the reason, the place, what helps, and what small sizes have shown',
    long,
    async () => {
      const ran = await prove(lock, '-t', 'vague')
      expect(ran).toMatchObject({ code: 3, stderr: '' })
      const text = unwrapped(ran.stdout)
      expect(text).toContain('neither proved nor violated for every clients ≥ 1')
      expect(text).toContain('no violation in 9 executions of clients = 1 to 3')
      expect(text).toContain('indiscriminate communication: one round of a loop may talk to more than one member')
      expect(text).toContain(`${lock}:38:12  receive 'unlock'`)
      expect(text).toContain('hint: receive from the member at hand')
      expect(text).toContain(`npx allways check ${lock} -t vague`)
      expect((await prove(lock, '-t', 'vague', '--allow-incomplete')).code).toBe(0)
    },
  )

  test('of several is summed up, and the worst decides the exit code', long, async () => {
    const ran = await prove(lock)
    expect(ran.code).toBe(1)
    expect(ran.stdout).toContain('1 violated · 1 incomplete · 1 proved')
    expect(
      Math.max(...ran.stdout.split('\n').map((line) => (line.includes('npx') ? 0 : [...line].length))),
    ).toBeLessThanOrEqual(100)
  })

  test('is not mentioned with --quiet if it is proved', async () => {
    expect(await prove(lock, '-t', 'right', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('is explored within --memory, and what is no amount of it is a mistake', long, async () => {
    const ran = await prove(large, '--memory', '1mb')
    expect(ran.code).toBe(3)
    expect(unwrapped(ran.stdout)).toContain('stopped by the memory budget (--memory)')
    await expectMistake(['prove', large, '--memory', 'much'], { code: 'E107', message: '--memory', hint: '512mb' })
  })

  test('is one whose small sizes take too long: that is said, and is no violation', async () => {
    const ran = await prove(large, '--time', '60ms')
    expect(ran.code).toBe(3)
    expect(unwrapped(ran.stdout)).toContain('no sizes were explored to the end: stopped by the time budget (--time)')
  })

  test('is not looked at any more after Ctrl-C, exit 3', async () => {
    const source = readFileSync(large, 'utf8')
    const file = copied('telling.check.ts', source.replace('  const all', '  Math.tanh(0)\n  const all'))
    let isExplored = false
    const interrupt = (stop: () => void): void => {
      const told = vi.spyOn(Math, 'tanh').mockImplementation(() => {
        isExplored = true
        stop()
        return 0
      })
      onTestFinished(() => told.mockRestore())
    }
    const ran = await allways(['prove', file, '--time', '1m'], { interrupt })
    expect([ran.code, isExplored]).toEqual([3, true])
    expect(unwrapped(ran.stdout)).toContain('stopped by an interrupt')
  })

  test('is left out if it has no size, with a note, when others of the file have one', async () => {
    const ran = await prove(mixed)
    expect(ran.code).toBe(0)
    expect(ran.stderr).toBe(
      ' note: left out, without a parameter declared with every(…): plain; -t proves it as it is\n',
    )
    expect(ran.stdout).toContain('✓ proved  sized')
    expect(ran.stdout).not.toContain('plain')
    expect((await prove(mixed, '--quiet')).stderr).toBe('')
  })
})

describe('a program without sizes', () => {
  test('is proved as it is, and the verdict claims nothing for other numbers', async () => {
    const ran = await prove(mixed, '-t', 'plain')
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const text = unwrapped(ran.stdout)
    expect(text).toContain('no process waits for ever and none fails, as it is, with no claim for ')
    expect(text).toContain('other numbers of processes; confirmed by execution')
    expect(ran.stdout).not.toContain('every')
  })

  test.each([
    ['parikh', 'parikh', ['proved', 'proved', 'violated', 'violated', 'incomplete', 'violated']],
    ['two-buyers', 'two buyers', ['proved', 'violated', 'violated', 'violated', 'proved']],
  ])('of the paper, %s, has its answer from the command line', async (folder, name, verdicts) => {
    const ran = await prove(`corpus/${folder}/model.check.ts`, '--json')
    const { results } = JSON.parse(ran.stdout)
    expect(results[0]).toMatchObject({ program: name, params: {}, setting: { sizes: {} } })
    expect(results.map(({ verdict }: { verdict: string }) => verdict)).toEqual(verdicts)
  })

  test('and without a proof is explored, and its only size is not spoken of as one of several', async () => {
    const ran = await prove('corpus/parikh/model.check.ts', '-t', 'set after bye')
    expect(ran).toMatchObject({ code: 3, stderr: '' })
    const text = unwrapped(ran.stdout)
    expect(text).toContain('neither proved nor violated: not canonical ')
    expect(text).toContain('(superfluous send); no violation in its only execution')
  })
})

describe('a program outside what prove reads', () => {
  const outside = (loop: string): string =>
    copied('outside.check.ts', readFileSync(mixed, 'utf8').replace('for (const _ of all) yield*', loop))

  test('is explored for small sizes: exit 3, with what is outside and what was learned', async () => {
    const file = outside('const [first] = all; for (const _ of all) yield*')
    const ran = await prove(file, '-t', 'sized')
    expect(ran.code).toBe(3)
    expect(ran.stderr).toContain('E415  the set of processes "member" is used as a value')
    const text = unwrapped(ran.stdout)
    expect(text).toContain('neither proved nor violated for every n ≥ 0: outside what prove reads ')
    expect(text).toContain('(E415); no violation in 10 executions of n = 0 to 3')
    expect(text).toContain(`npx allways check ${file} -t sized`)
    expect((await prove(file, '-t', 'sized', '--allow-incomplete')).code).toBe(0)
  })

  test('says in JSON what is outside, and which sizes were explored', async () => {
    const ran = await prove(outside('const [first] = all; for (const _ of all) yield*'), '-t', 'sized', '--json')
    const json = JSON.parse(ran.stdout)
    expect(validate(json), JSON.stringify(validate.errors)).toBe(true)
    expect(json).toMatchObject({
      diagnostics: [{ code: 'E415' }],
      results: [
        {
          verdict: 'incomplete',
          evidence: [{ kind: 'proof', refused: ['E415'], bounded: { executions: 10, unfinished: [], because: null } }],
        },
      ],
    })
  })

  test('is violated, exit 1, if a small size is', async () => {
    const ran = await prove(outside('const [first] = all; for (const _ of [...all, 0]) yield*'), '-t', 'sized')
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('E415')
    expect(unwrapped(ran.stdout)).toContain('n = 0, fifo, no faults')
  })

  test('and without a size is explored as it is', async () => {
    const source = readFileSync(mixed, 'utf8')
      .replace('every,', 'every, join,')
      .replace(/yield\* (spawn\(.*)\n.*\n\}\)\s*$/, 'yield* join(yield* $1)\n})\n')
    const file = copied('joined.check.ts', source)
    const ran = await prove(file, '-t', 'plain')
    expect(ran.code).toBe(3)
    expect(ran.stderr).toContain('E413  prove does not decide join')
    expect(unwrapped(ran.stdout)).toContain('violation in its only execution')
  })
})

const validate = new Ajv({ strict: false, allErrors: true }).compile(
  JSON.parse(readFileSync('schema/allways-report-1.json', 'utf8')) as object,
)

describe('the JSON report', () => {
  test('has a proof, a violation as check has it, and a reason, all as the schema says', async () => {
    const { code, stdout } = await prove(lock, '--json')
    expect(code).toBe(1)
    const json = JSON.parse(stdout)
    expect(validate(json), JSON.stringify(validate.errors)).toBe(true)
    expect(json.results).toMatchObject([
      {
        program: 'right',
        engine: 'sequentialize',
        verdict: 'proved',
        setting: { sizes: { clients: 1 } },
        evidence: [
          {
            kind: 'sequentialProgram',
            lines: [
              { depth: 0, text: 'for each client {', place: { line: 17 }, sentAt: null },
              { depth: 1, place: { line: 18 }, sentAt: { line: 8 } },
              { depth: 1, place: { line: 9 }, sentAt: { line: 19 } },
              { depth: 1, place: { line: 20 }, sentAt: { line: 10 } },
              { depth: 0, text: '}', place: null },
            ],
          },
          { kind: 'proof', notCanonical: null, bounded: null },
        ],
      },
      {
        program: 'wrong',
        engine: 'dpor',
        verdict: 'violated',
        params: { clients: 2 },
        violation: { kind: 'deadlock' },
      },
      {
        program: 'vague',
        verdict: 'incomplete',
        evidence: [
          {
            notCanonical: { reason: 'indiscriminate communication', places: [{ place: { line: 38 } }] },
            bounded: {
              sizes: [{ clients: 1 }, { clients: 2 }, { clients: 3 }],
              executions: 9,
              unfinished: [],
              because: null,
            },
          },
        ],
      },
    ])
  })

  test('says which sizes a budget left out', async () => {
    const { stdout } = await prove(large, '--time', '60ms', '--json')
    const json = JSON.parse(stdout)
    expect(validate(json), JSON.stringify(validate.errors)).toBe(true)
    expect(json.results).toMatchObject([
      {
        evidence: [
          { bounded: { sizes: [], unfinished: [{ voters: 9 }, { voters: 10 }, { voters: 11 }], because: 'time' } },
        ],
      },
    ])
  })

  test('is not accepted by the schema if it is called proved without being so', async () => {
    const json = JSON.parse((await prove(lock, '-t', 'vague', '--json')).stdout)
    json.results[0].verdict = 'proved'
    expect(validate(json)).toBe(false)
  })
})

describe('check --engine sequentialize', () => {
  const check = async (...argv: readonly string[]) => await allways(['check', ...argv, '--engine', 'sequentialize'])

  test('proves what prove proves, with the same words', async () => {
    const [checked, proved] = [await check(lock, '-t', 'right'), await prove(lock, '-t', 'right')]
    const untimed = ({ stdout }: Ran) => stdout.replace(/ +[\d.]+ s$/gm, '')
    expect(checked).toMatchObject({ code: 0, stderr: '' })
    expect(untimed(checked)).toBe(untimed(proved))
  })

  test('explores no sizes where there is no proof: exit 3, and nothing to resume', async () => {
    const ran = await check(lock, '-t', 'wrong', '--json')
    expect(ran.code).toBe(3)
    expect(JSON.parse(ran.stdout).results).toMatchObject([
      { engine: 'sequentialize', network: null, verdict: 'incomplete', evidence: [{ kind: 'proof', bounded: null }] },
    ])
  })

  test('proves programs without sizes as they are', async () => {
    expect((await check(mixed, '-t', 'plain')).stdout).toContain('✓ proved  plain — ')
  })

  test('refuses whatever would not be proved', async () => {
    const refused = [
      [['--network', 'bag'], 'E107', 'program "right" has network "fifo", not "bag"', 'leave the flag out'],
      [['--faults', 'losses=1'], 'E217', 'prove takes executions without faults only', 'allways check'],
      [['--max-steps', '5'], 'E107', 'engine "sequentialize" proves for executions of any length', '--engine dpor'],
    ] as const
    for (const [flags, code, message, hint] of refused) {
      await expectMistake(['check', lock, '-t', 'right', '--engine', 'sequentialize', ...flags], {
        code,
        message,
        hint,
      })
    }
  })

  test('refuses another value of a parameter that is fixed in the source', async () => {
    const source = lockSource.replaceAll('clients: every(', 'rounds: 2, clients: every(')
    await expectMistake(
      ['check', copied('fixed.check.ts', source), '-t', 'right', '--engine', 'sequentialize', '--param', 'rounds=3'],
      { code: 'E107', message: 'program "right" has rounds = 2, not 3', hint: 'or change the source' },
    )
  })
})

describe('--print', () => {
  test('icet shows the processes of the program, statement by statement', async () => {
    const ran = await prove(lock, '-t', 'right', '--print', 'icet')
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain('Π client[clients]')
    expect(ran.stdout).toContain("receive('unlock', from from)")
  })

  test('proof prints steps that --proof accepts for this program and for no other', async () => {
    const file = copied('locks.check.ts', lockSource)
    const printed = await prove(file, '-t', 'right', '--print', 'proof')
    expect(printed).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(printed.stdout)).toMatchObject({ format: 'allways-proof/2', steps: [{ rule: 'iterate' }] })
    const proof = copied('right.proof.json', printed.stdout)
    const again = await prove(file, '-t', 'right', '--proof', proof)
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.stdout).toContain('✓ proved  right')
    for (const other of ['wrong', 'vague']) {
      const ran = await prove(file, '-t', other, '--proof', proof)
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(unwrapped(ran.stderr)).toContain(`E418  ${proof} does not prove "${other}": `)
    }
  })

  test('proof prints steps that --proof rejects once the program has changed', async () => {
    const file = copied('changed.check.ts', lockSource)
    const proof = copied('changed.proof.json', (await prove(file, '-t', 'right', '--print', 'proof')).stdout)
    writeFileSync(file, lockSource.replace("yield* send(from, { kind: 'granted' })", ''))
    await expectMistake(['prove', file, '-t', 'right', '--proof', proof], {
      code: 'E418',
      message: `${proof} does not prove "right": `,
      hint: 'the program may have changed since',
    })
  })

  test('a proof of a program whose source alone has changed is accepted with a note', async () => {
    const file = copied('commented.check.ts', lockSource)
    const printed = await prove(file, '-t', 'right', '--print', 'proof')
    const proof = copied('commented.proof.json', printed.stdout)
    writeFileSync(file, `// Locks.\n${lockSource}`)
    const again = await prove(file, '-t', 'right', '--proof', proof)
    expect(again).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^ note: right is read from files that have/),
    })
    expect(again.stdout).toContain('✓ proved  right')
    const { source, ...earlier } = JSON.parse(printed.stdout) as { readonly source: string }
    expect(source).toMatch(/^sha256-[0-9a-f]{64}$/)
    const old = copied('earlier.proof.json', JSON.stringify(earlier))
    expect(await prove(file, '-t', 'right', '--proof', old)).toMatchObject({ code: 0, stderr: '' })
  })

  test('proof of what is not proved is the report, exit 3', async () => {
    const ran = await prove(lock, '-t', 'vague', '--print', 'proof')
    expect(ran.code).toBe(3)
    expect(ran.stdout).toContain('◌ incomplete  vague')
  })
})

describe('mistakes', () => {
  test.each([
    ['{', 'it is not JSON'],
    ['{"format":"allways-trace/2"}', 'its format is "allways-trace/2", not "allways-proof/2"'],
    ['null', 'its format is undefined, not "allways-proof/2"'],
    ['{"format":"allways-proof/2"}', 'term must be there, but is missing'],
    ['{"format":"allways-proof/2","term":"t","steps":[{"rule":"believe"}]}', 'steps[0].'],
    ['{"format":"allways-proof/2","term":"t","steps":[{"rule":"iterate","leaders":[null]}]}', 'steps[0].'],
  ])('a proof file that holds %s', async (text, why) => {
    const proof = copied('damaged.proof.json', text)
    const hint = 'allways prove <file> --print proof > lock.proof.json writes one'
    const message = `${proof} is not a proof: ${why}`
    await expectMistake(['prove', lock, '-t', 'right', '--proof', proof], { code: 'E418', message, hint })
  })

  test('a proof file that is nested deeper than a stack', async () => {
    const [before, after] = ['{"rule":"branch","party":"main","statement":1,"arms":[[', ']]}']
    const steps = `[${before.repeat(20_000)}${after.repeat(20_000)}]`
    const proof = copied('deep.proof.json', `{"format":"allways-proof/2","term":"","steps":${steps}}`)
    const ran = await prove(lock, '-t', 'right', '--proof', proof)
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(unwrapped(ran.stderr)).toContain('is not a proof: ')
  })

  test('a proof file that is not there', async () => {
    const ran = await prove(lock, '-t', 'right', '--proof', join(folder, 'missing.json'))
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(unwrapped(ran.stderr)).toContain('missing.json cannot be read: there is no such file')
  })

  test('a proof that ends too early, or begins with a step of nobody', async () => {
    const written = JSON.parse((await prove(lock, '-t', 'right', '--print', 'proof')).stdout) as object
    const cases = [
      [{ steps: [] }, 'is not sure to'],
      [{ steps: [{ rule: 'step', party: 'nobody', statement: 1 }] }, 'nobody'],
      [{ term: 'sha256-0' }, 'it is one of another term'],
      [{ term: undefined }, 'term must be there, but is missing'],
    ] as const
    for (const [changed, why] of cases) {
      const text = JSON.stringify({ ...written, ...changed })
      const ran = await prove(lock, '-t', 'right', '--proof', copied('early.proof.json', text))
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(unwrapped(ran.stderr)).toContain(why)
    }
  })

  test('a system of machines', async () => {
    await expectMistake(['prove', 'examples/payment.check.ts'], {
      code: 'E406',
      message: '"payment" is not a program of processes, whose source prove reads',
      hint: 'use allways check',
    })
  })

  test('a file with nothing but classes', async () => {
    await expectMistake(['prove', 'examples/cache.check.ts'], {
      code: 'E406',
      message: 'there are only checks of classes',
      hint: 'allways linearize checks classes',
    })
  })

  test('a name that no program has', async () => {
    await expectMistake(['prove', lock, '-t', 'nothing'], {
      code: 'E106',
      message: 'nothing',
      hint: '"right", "wrong"',
    })
  })

  test('a word that --print does not know', async () => {
    await expectMistake(['prove', lock, '--print', 'prof'], { code: 'E107', message: 'prof', hint: 'proof' })
  })

  test.each([
    ['0', 'is a size from 1 on, not 0'],
    ['1.5', 'is a size from 1 on, not 1.5'],
    ['-2', 'is a size from 1 on, not -2'],
  ])('check with %s clients of at least one', async (size, why) => {
    await expectMistake(['check', lock, '-t', 'right', '--param', `clients=${size}`], {
      code: 'E107',
      message: `parameter "clients" of program "right" ${why}`,
      hint: '',
    })
  })
})

test('list shows what ranges over every size, and check takes the size given', async () => {
  const { stdout } = await allways(['list', lock, '-t', 'right'])
  expect(stdout).toMatch(/right +fifo +clients=2 \(every ≥ 1\)\n/)
  const listed = JSON.parse((await allways(['list', mixed, '--json'])).stdout)
  expect(listed.programs).toMatchObject([
    { program: 'sized', params: { n: 2 }, every: { n: 0 } },
    { program: 'plain', every: {} },
  ])
  const checked = await allways(['check', lock, '-t', 'wrong', '--param', 'clients=1'])
  expect(checked).toMatchObject({ code: 0, stderr: '' })
})

test('--watch answers again after a change, and ends on SIGINT with the code of the last answer', long, async () => {
  const file = copied('watched.check.ts', lockSource)
  const argv = [resolve('bin/allways.mjs'), 'prove', file, '-t', 'right', '--watch']
  const child = spawn(execPath, argv, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const written = (text: string): void => {
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', written)
  child.stderr.setEncoding('utf8').on('data', written)
  const ended = new Promise<number | null>((settle) => child.on('close', settle))
  onTestFinished(() => void child.kill('SIGKILL'))
  const waits = async (times: number): Promise<void> => {
    while (output.split('waiting for changes').length <= times) {
      expect(child.exitCode, output).toBeNull()
      await new Promise((settle) => setTimeout(settle, 20))
    }
  }
  await waits(1)
  expect(output).toContain('✓ proved  right')
  // In one go: what is half written would be read once more, while nobody listens to SIGINT.
  const save = (text: string): void => {
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }
  save(lockSource.replace("send(from, { kind: 'granted' })", "send(all[0]!, { kind: 'granted' })"))
  await waits(2)
  expect(output.slice(output.indexOf('waiting'))).not.toContain('proved')
  save(lockSource.replaceAll("'granted'", "'yours'"))
  await waits(3)
  expect(output).toContain("client takes { kind: 'yours' }")
  child.kill('SIGINT')
  expect(await ended).toBe(0)
})
