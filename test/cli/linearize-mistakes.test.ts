import { expect, test } from 'vitest'
import { allways, fixtures } from './harness.ts'
import { expectMistake, unwrapped } from './mistake.ts'

const objects = `${fixtures}/objects`

/** A fixture, flags, its diagnostic, the place, and words that must be in the message and in the framed line. */
const inFiles: readonly (readonly [
  file: string,
  flags: readonly string[],
  code: string,
  place: string,
  message: string,
  line: string,
])[] = [
  ['timer.ts', [], 'E307', '5:', 'with options cannot be checked', 'setTimeout(10, undefined'],
  ['clock.ts', [], 'E209', '5:', 'Date.now() was called', 'this.last = Date.now()'],
  ['dice.ts', [], 'E209', '5:', 'Math.random() was called', 'Math.random()'],
  ['foreign.ts', [], 'E307', '8:', 'fs.promises.readFile(…) cannot be checked', 'await readFile('],
  ['spins.ts', [], 'E304', '9:', 'wait() does not return', 'while (!this.ready)'],
  ['unguessable.ts', [], 'E308', '8:7', 'which arguments to call Jobs.add() with: "job: Job"', 'add(job: Job)'],
  [
    'needs-arguments.ts',
    [],
    'E308',
    '1:8',
    'the constructor of Pool needs arguments: size: number',
    'export class Pool',
  ],
  ['not-values.check.ts', [], 'E308', '11:16', 'an argument of add is not a value', 'linearizable(Callbacks'],
  ['unknown-operation.check.ts', [], 'E308', '15:16', 'Box has no method sett', 'linearizable(Box'],
  [
    'fails-to-make.check.ts',
    [],
    'E308',
    '5:',
    'could not be made: TypeError: a limit is needed',
    'throw new TypeError',
  ],
  ['throwing-specification.check.ts', [], 'E504', '21:', 'not thought of', "if (operation === 'read')"],
  [
    'unknown-values.check.ts',
    [],
    'E308',
    '12:16',
    '"granularity" of linearizable(Counter) is "acess"',
    'linearizable(Counter',
  ],
  [
    'unknown-values.check.ts',
    [],
    'E308',
    '12:16',
    '"criterion" of linearizable(Counter) is "strict"',
    'linearizable(Counter',
  ],
  [
    'unknown-values.check.ts',
    [],
    'E308',
    '12:16',
    '"deadlock" of linearizable(Counter) is "maybe"',
    'linearizable(Counter',
  ],
  ['no-apply.check.ts', [], 'E308', '12:16', 'the specification has no function "apply"', 'linearizable(Counter'],
  ['only-reads.check.ts', [], 'E308', '11:16', 'there are no clients: all operations are', 'linearizable(Box'],
  ['clock.ts', ['--processes', '1'], 'E308', '1:8', 'there are no clients: up to 1 process', 'export class'],
  ['no-such-lock.mjs', [], 'E102', '1:10', '"Lock" is not exported by allways/sync', 'import { Lock }'],
  ['weak.ts', [], 'E305', '1:8', 'the object holds a WeakMap', 'export class Weak'],
  [
    'two-classes.ts',
    ['--class', 'Reader', '--spec', 'stack'],
    'E503',
    '1:8',
    'stack has no operation',
    'export class Reader',
  ],
  ['broken.history.jsonl', ['--spec', 'register'], 'E501', '2:', '', '"type":"done"'],
  ['impossible.history.jsonl', ['--spec', 'register'], 'E502', '2:', '', '"process":2'],
  ['unknown.history.jsonl', ['--spec', 'stack'], 'E503', '1:1', 'stack has no operation "write"', '"op":"write"'],
]

test.each(inFiles)('%s %s: %s at %s', async (name, flags, code, place, message, line) => {
  const file = `${objects}/mistakes/${name}`
  const ran = await allways(['linearize', file, ...flags])
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  const text = unwrapped(ran.stderr)
  expect(text).toContain(` ${code}  `)
  expect(text).toContain(message)
  expect(text).toContain(`${file}:${place}`)
  expect(framedLine(ran.stderr)).toContain(line)
  expect(text).toMatch(/hint: \S+/)
})

/** What was typed, the code, and words of the message and of the hint. */
const onTheCommandLine: readonly (readonly [argv: readonly string[], code: string, message: string, hint: string])[] = [
  [['--reduction', 'lzy'], 'E107', '--reduction is "lzy"', 'did you mean "lazy"?'],
  [['--reduction', 'everything'], 'E107', '--reduction is "everything"', 'none, safe, eager, lazy, portfolio'],
  [['--static', 'yes'], 'E107', '--static is "yes"', 'on, off'],
  [['--order', 'randm'], 'E107', '--order is "randm"', 'did you mean "random"?'],
  [['--granularity', 'line'], 'E107', '--granularity is "line"', 'access, await'],
  [['--criterion', 'linearisable'], 'E107', '--criterion is "linearisable"', 'did you mean "linearizable"?'],
  [['--processes', '0'], 'E107', '--processes is "0"', ''],
  [['--calls', 'two'], 'E107', '--calls is "two"', ''],
  [['--time', 'soon'], 'E107', '--time is "soon"', '60s'],
  [['--dry-run'], 'E107', '--dry-run without --fix', '--fix --dry-run'],
  [['--fix', '--no-causes'], 'E107', '--fix with --no-causes', 'causes'],
  [['--client', '{ pop() }', '--processes', '3'], 'E107', '--client with --processes', 'within bounds'],
  [['--client', '{ pop() }', '--args', 'push: 1'], 'E107', '--client with --args', ''],
  [[`${objects}/stack.ts`, '--class', 'Stck'], 'E308', 'exports no class "Stck"', 'did you mean "Stack"?'],
  [[`${objects}/mistakes/two-classes.ts`], 'E308', 'exports several classes: Reader, Writer', '--class Reader'],
  [[`${objects}/mistakes/no-class.ts`], 'E308', 'exports neither a class nor a check', 'linearizable('],
  [[`${objects}/stack.ts`, '--args', 'psh: 1'], 'E308', 'Stack has no method "psh"', 'did you mean "push"?'],
  [[`${objects}/stack.ts`, '--args', 'push 1'], 'E107', '--args cannot be read', ''],
  [[`${objects}/stack.ts`, '--args', 'push: one'], 'E107', '--args cannot be read', ''],
  [[`${objects}/stack.ts`, '--client', '{ psuh(1) } || { pop() }'], 'E306', 'there is no operation psuh', '"push"?'],
  [[`${objects}/stack.ts`, '--client', '{ push(1) | { pop() }'], 'E306', 'the client cannot be read', ''],
  [[`${objects}/stack.ts`, '--client', '{ push(x) }'], 'E306', 'the client cannot be read', ''],
  [[`${objects}/stack.ts`, '--client', ''], 'E306', 'the client cannot be read: it is empty', '{ push(1) }'],
  [[`${objects}/stack.check.ts`, '--args', 'push: 1'], 'E107', '--args is for classes without a check', '--class'],
  [[`${objects}/counter.check.ts`, '-t', 'lokced'], 'E106', 'no program has "lokced" in its name', ''],
  [[`${objects}/fine.history.jsonl`], 'E107', 'does not name a specification', '--spec register'],
  [
    [`${objects}/fine.history.jsonl`, '--spec', 'regster'],
    'E107',
    'there is no specification',
    'did you mean "register"?',
  ],
  [[`${objects}/stack.ts`, '--spec', 'stak'], 'E107', 'there is no specification "stak"', 'did you mean "stack"?'],
  ...[
    ['--client', '{ read() }'],
    ['--class', 'Register'],
    ['--fix'],
    ['--processes', '2'],
    ['--criterion', 'outcomes'],
    ['--reduction', 'none'],
    ['--no-causes'],
    ['-t', 'x'],
  ].map(
    (flags) =>
      [
        [`${objects}/fine.history.jsonl`, '--spec', 'register', ...flags],
        'E107',
        'is about classes, and a history is not a class',
        '--spec, --html',
      ] as const,
  ),
  [['run.edn', '--spec', 'register'], 'E501', 'run.edn is written in EDN', '*.history.jsonl'],
  [['missing.ts'], 'E101', 'missing.ts', ''],
  [[`${objects}/missing.history.jsonl`], 'E101', 'missing.history.jsonl', ''],
]

test.each(onTheCommandLine)('allways linearize %s: %s', async (argv, code, message, hint) => {
  await expectMistake(['linearize', ...argv], { code, message, hint })
})

test('all mistakes in the flags are reported at once', async () => {
  const ran = await allways(['linearize', '--reduction', 'x', '--order', 'y', '--calls', 'z', '--reporter', 'w'])
  expect(ran.stderr.match(/E1\d\d/g)).toEqual(['E107', 'E107', 'E107', 'E111'])
})

test('what is wrong with a client is said once, however many checks it is for', async () => {
  const ran = await allways(['linearize', `${objects}/counter.check.ts`, '--client', '{ incremnt() }', '--json'])
  expect(ran.stderr.match(/E306/g)).toEqual(['E306'])
  expect(JSON.parse(ran.stdout)).toMatchObject({ results: [], diagnostics: [{ code: 'E306' }] })
})

test('clients of more processes than can be explored are refused before anything is explored', async () => {
  const client = Array.from({ length: 31 }, () => '{ increment() }').join(' || ')
  for (const flags of [
    ['--processes', '31'],
    ['--client', client],
  ]) {
    const { code, stderr } = await allways(['linearize', `${objects}/counter.ts`, ...flags])
    expect(code).toBe(2)
    expect(unwrapped(stderr)).toContain('clients of 31 processes cannot be explored: there may be 30 at most')
  }
})

test('processes of more calls than can be counted are refused before anything is explored', async () => {
  const { code, stderr } = await allways(['linearize', `${objects}/counter.ts`, '--calls', '20000', '--time', '2s'])
  expect(code).toBe(2)
  expect(unwrapped(stderr)).toContain('processes of 20000 calls cannot be explored: there may be 100 at most')
})

test('the largest bounds there may be keep to a budget of time', async () => {
  const flags = ['--calls', '100', '--processes', '30', '--time', '200ms']
  const { code, stdout } = await allways(['linearize', `${fixtures}/bounds/flag.ts`, ...flags])
  expect(code).toBe(3)
  expect(unwrapped(stdout)).toMatch(/no violation in [\d,]+ of at least 10\^308 clients/)
})

test('a name that allways/sync lacks is answered with those it has', async () => {
  const ran = await allways(['linearize', `${objects}/mistakes/no-such-lock.mjs`])
  expect(ran.stderr).toContain('hint: it exports Atomic, Mutex, ReadWriteLock, Semaphore\n')
})

test('values that are none of those there are get the nearest one, or the list', async () => {
  const ran = await allways(['linearize', `${objects}/mistakes/unknown-values.check.ts`])
  expect(ran.stderr.match(/hint: .*/g)).toEqual([
    'hint: did you mean "access"?',
    'hint: write one of linearizable, outcomes',
    'hint: write one of error, allow',
  ])
})

function framedLine(text: string): string {
  return text.split('\n').find((line) => /^\s+> +\d+ \|/.test(line)) ?? ''
}
