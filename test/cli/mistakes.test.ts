import { expect, test } from 'vitest'
import { cut, oneIn } from '../amount.ts'
import { allways, fixtures } from './harness.ts'
import { expectMistake, unwrapped } from './mistake.ts'

/** A fixture, its diagnostic, the place, and words that must be in the message and in the framed line. */
const inFiles: readonly (readonly [file: string, code: string, place: string, message: string, line: string])[] = [
  ['clock', 'E209', '5:24', 'Date.now() was called, in process "main"', 'yield* send(me, Date.now())'],
  ['dice', 'E209', '5:12', 'Math.random() was called, in process "main"', 'if (Math.random() < 0.5)'],
  [
    'filter-clock',
    'E209',
    '6:54',
    'Date.now() was called, in the filter of a receive of process "main"',
    'message < Date.now()',
  ],
  ['shared', 'E201', '8:10', 'process "main" is not deterministic', 'yield* send(me, calls)'],
  ['shared-quietly', 'E201', '9:10', 'process "main" is not deterministic', "yield* assert(calls < 2, 'called twice')"],
  ['shared-between', 'E201', '9:14', 'process "adder 1" is not deterministic', 'yield* send(me, before)'],
  ['kept-by-parent', 'E201', '8:', 'process "receiver" is not deterministic', 'first'],
  ['counting-filter', 'E201', '7:10', 'the filter of a receive first', 'yield* receive('],
  [
    'instance-argument',
    'E205',
    '8:10',
    'argument 1 of process "counter" is an instance of Counter',
    "yield* spawn('counter'",
  ],
  ['reused-operation', 'E208', '7:3', 'the same send(…) was performed twice', 'yield* operation'],
  ['unperformed', 'E207', '5:3', 'process "main" made an operation', 'send(me, 1)'],
  ['unperformed-assert', 'E207', '5:3', 'did not perform it', "assert(coin === 0, 'heads')"],
  ['unperformed-holding', 'E207', '5:3', 'did not perform it', "assert(coin < 2, 'heads or tails')"],
  ['unperformed-assume', 'E207', '5:3', 'did not perform it', 'assume(coin < 2)'],
  ['called-body', 'E212', '9:10', 'the body of process "client" was called', 'client(me)'],
  ['called-async-body', 'E212', '9:9', 'the body of process "client" was called', 'client(me)'],
  ['exits', 'E209', '4:11', 'process.exit() was called', 'process.exit(0)'],
  ['spawns', 'E203', '', 'more than 2,000 processes began in one execution', 'program('],
  ['kept-clock', 'E209', '6:38', 'Date.now() was called', 'now()'],
  ['spinning', 'E202', '7:', 'loop iterations without an operation', 'while (turns >= 0)'],
  ['endless', 'E203', '6:12', 'process "main" performed 10,000 operations in one execution', 'yield* send(me, 1)'],
  [
    'nowhere',
    'E204',
    '8:10',
    'send() needs the address of a process and got the operation spawn(…) itself',
    'yield* send(worker, 1)',
  ],
  ['unrun-helper', 'E207', '5:19', 'called a generator function, and what it gave is not run', 'landed(coin)'],
  ['unrun-callback', 'E207', '6:19', 'called a generator function, and what it gave is not run', 'forEach(function*'],
  ['unrun-map', 'E207', '6:25', 'called a generator function, and what it gave is not run', '[2, 3].map('],
  ['bare-yield', 'E207', '5:9', 'process "main" used yield send(…)', 'yield send(me, 1)'],
  ['bare-yield-assert', 'E207', '5:9', 'process "main" used yield assert(…)', 'yield assert(coin'],
  ['unknown-parameter', 'E107', '5:59', 'program "nobody" has no parameter "client"', 'client = 0'],
  ['parameters-sent', 'E205', '5:9', 'the message is all parameters of program "whole"', 'send(me, params)'],
  ['unknown-parameter-of-system', 'E107', '15:51', 'system "idle" has no parameter "tick"', 'given.tick'],
  ['crashes', 'E104', '3:23', 'threw SyntaxError', "JSON.parse('{')"],
]

test.each(inFiles)('%s: %s at %s', async (name, code, place, message, line) => {
  const file = `${fixtures}/mistakes/${name}.check.ts`
  // Thousands of processes take dpor many seconds; which engine begins them makes no difference to the limit.
  const engine = name === 'spawns' ? ['--engine', 'exhaustive'] : []
  const ran = await allways(['check', file, ...engine])
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  const text = unwrapped(ran.stderr)
  expect(text).toContain(` ${code}  `)
  expect(text).toContain(message)
  expect(text).toContain(`${file}:${place}`)
  expect(framedLine(ran.stderr)).toContain(line)
  expect(text).toMatch(/hint: \S+/)
})

test.each(oneIn(4, ['dpor', 'exhaustive', 'random', 'pct']))(
  '%s tells a program that does not repeat itself from one that is wrong',
  cut,
  async (engine) => {
    for (const name of ['shared', 'shared-quietly', 'shared-between']) {
      const ran = await allways(['check', `${fixtures}/mistakes/${name}.check.ts`, '--engine', engine])
      expect(ran.code).toBe(2)
      expect(ran.stderr).toContain('E201')
      expect(ran.stderr).toMatch(/shared.*\.check\.ts:(8:10|9:10|9:14)/)
    }
  },
)

test('a method of the user’s own that is called like one of arrays may run what its callbacks give', async () => {
  expect(await allways(['check', `${fixtures}/own-for-each.check.ts`])).toMatchObject({ code: 0, stderr: '' })
})

test('programs of one name are told apart by their exports, in traces too', async () => {
  const ran = await allways(['check', `${fixtures}/namesakes.check.ts`])
  expect(ran.code).toBe(1)
  expect(ran.stdout).toContain('same (good)')
  const [, trace = ''] = /replay {3}npx allways replay (\S+)/.exec(ran.stdout) ?? []
  expect((await allways(['replay', trace])).code).toBe(1)
})

test('what processes print stays out of the report', async () => {
  const ran = await allways(['check', `${fixtures}/prints.check.ts`, '--json'])
  expect(JSON.parse(ran.stdout)).toMatchObject({ results: [{ verdict: 'verified' }] })
})

test('a counterexample is shown although its trace cannot be written', async () => {
  const ran = await allways(['check', `${fixtures}/race.check.ts`, '--trace-dir', `${fixtures}/race.check.ts/below`])
  expect(ran.code).toBe(1)
  expect(ran.stdout).toContain('worked after being stopped')
  expect(ran.stdout).not.toContain('npx allways replay')
  expect(ran.stderr).toContain('note: the trace could not be written (ENOTDIR')
})

test('changing an option that was chosen fails at the line that changes it', async () => {
  const ran = await allways(['check', `${fixtures}/mistakes/changed-option.check.ts`])
  expect(ran.code).toBe(1)
  expect(ran.stdout).toContain('changed-option.check.ts:5')
  expect(ran.stdout).toContain('TypeError: Cannot assign to read only property')
})

test('messages that are no values are refused with the path to the offender', async () => {
  const ran = await allways(['check', `${fixtures}/mistakes/messages.check.ts`])
  expect(ran.code).toBe(2)
  const lines = ran.stderr.split('\n').filter((line) => line.includes('E205'))
  expect(lines.map((line) => line.replace(/^.*E205 {2}/, ''))).toEqual([
    expect.stringContaining('message.self is a cycle'),
    expect.stringContaining('message.then[0] is a function'),
    expect.stringContaining('message.account is an instance of Account'),
  ])
})

test('an exception is a violation, shown with the stack in the user’s own lines', async () => {
  const file = `${fixtures}/mistakes/throws.check.ts`
  const ran = await allways(['check', file])
  expect(ran.code).toBe(1)
  expect(ran.stdout).toContain(`${file}:8  uncaught exception in main`)
  expect(ran.stdout).toContain("TypeError: Cannot read properties of undefined (reading 'price')")
  expect(ran.stdout).toContain(`at priceOf (${file}:8:44)`)
  expect(ran.stdout).toMatch(new RegExp(`at \\S+ \\(${file}:15:\\d+\\)`))
  expect(ran.stdout).not.toContain('node:internal')
})

test('a filter that throws is a violation at its line, with the message that it was asked about', async () => {
  const file = `${fixtures}/mistakes/filter.check.ts`
  const ran = await allways(['check', file])
  expect(ran.code).toBe(1)
  expect(ran.stdout).toContain(`${file}:6  uncaught exception in main`)
  expect(ran.stdout).toContain('exception in the filter of a receive: TypeError: Cannot read properties of')
  expect(ran.stdout).toContain('.size > 3')
})

/** What was typed, the code, and words of the message and of the hint. */
const onTheCommandLine: readonly (readonly [typed: string, code: string, message: string, hint: string])[] = [
  ['chek', 'E105', 'there is no command "chek"', 'did you mean "check"?'],
  ['frobnicate', 'E105', 'there is no command "frobnicate"', 'commands: check, fuzz'],
  ['check --enigne dpor', 'E105', "unknown option '--enigne'", 'did you mean --engine?'],
  ['check --spec kv', 'E105', "unknown option '--spec'", '--spec is an option of allways linearize'],
  ['prove --param n=1', 'E105', "unknown option '--param'", 'allways check, allways fuzz'],
  ['check run.history.jsonl', 'E101', 'there is no file', ''],
  [
    'check corpus/histories/kv-no.history.jsonl',
    'E102',
    'is not a TypeScript',
    'allways linearize corpus/histories/kv-no',
  ],
  ['check --time 1s --time 2s', 'E105', '--time is given twice, as 1s and 2s', 'see allways --help'],
  ['linearize --class A --class B', 'E105', '--class is given twice, as A and B', 'see allways --help'],
  ['check --network', 'E105', 'argument missing', 'see allways --help'],
  ['replay', 'E105', "missing required argument 'trace'", 'see allways --help'],
  ['check --engine dopr', 'E108', 'there is no engine "dopr"', 'did you mean "dpor"?'],
  ['check --network fifi', 'E109', 'there is no network "fifi"', 'did you mean "fifo"?'],
  ['check --reporter jsno', 'E111', 'there is no reporter "jsno"', 'did you mean "json"?'],
  ['fuzz --engine dpor', 'E107', 'engine "dpor" does not sample', 'allways check --engine dpor'],
  ['check --time soon', 'E107', '--time is "soon"', '60s'],
  ['check --memory 5', 'E107', '--memory is "5"', '512mb'],
  ['check --max-executions 0', 'E107', '--max-executions is "0"', ''],
  ['check --max-steps many', 'E107', '--max-steps is "many"', ''],
  ['check --seed 1.5', 'E107', '--seed is "1.5"', ''],
  ['check --workers 0', 'E107', '--workers is "0"', 'from 1 to 512, or auto'],
  ['check --workers x', 'E107', '--workers is "x"', 'from 1 to 512, or auto'],
  ['fuzz --workers 1.5', 'E107', '--workers is "1.5"', 'from 1 to 512, or auto'],
  ['check --workers 513', 'E107', '--workers is "513"', 'from 1 to 512, or auto'],
  ['check --seed 99999999999999999999', 'E107', '--seed is "99999999999999999999"', 'at most 15 digits'],
  ['check --values 9', 'E107', '--values is "9"', 'all, 1, 2'],
  ['run x.check.ts --all --time 9999h', 'E107', '--time is "9999h", which is longer than timers can run', '576h'],
  [`check ${fixtures}/holds.check.ts --coverage`, 'E107', '--coverage is for P programs', 'leave it out'],
  [
    `fuzz ${fixtures}/holds.check.ts --engine pct --depth 99999999999`,
    'E107',
    'depth is 99999999999',
    'from 1 to 10,000',
  ],
  ['check --deadlock maybe', 'E107', '--deadlock is "maybe"', 'error, allow'],
  ['check --schedule upwards', 'E107', '--schedule is "upwards"', 'left-to-right'],
  ['check --param n', 'E107', '--param n has no value', '--param n=value'],
  ['check --param =3', 'E107', '--param =3 has no name', '--param name=value'],
  ['check --trace-dir=', 'E107', '--trace-dir is empty, but it must be a path', 'leave the flag out'],
  ['check --resume=', 'E107', '--resume is empty', 'leave the flag out'],
  ['prove x.check.ts --proof=', 'E107', '--proof is empty', 'leave the flag out'],
  ['linearize x.ts --html=', 'E107', '--html is empty', 'leave the flag out'],
  ['run x.check.ts --all --key-file=', 'E107', '--key-file is empty', 'leave the flag out'],
  ['run x.check.ts --all --log=', 'E107', '--log is empty', 'leave the flag out'],
  ['run x.check.ts --all --state-dir=', 'E107', '--state-dir is empty', 'leave the flag out'],
  ['online x.check.ts --from=', 'E107', '--from is empty', 'leave the flag out'],
  ['online x.check.ts --snapshot-dir=', 'E107', '--snapshot-dir is empty', 'leave the flag out'],
  ['list --engines x', 'E107', 'x cannot be given together with --engines', 'leave out one'],
  ['list --engines -t x', 'E107', '--test-name cannot be given together', 'leave out one'],
  [
    `check ${fixtures}/holds.check.ts --param m=3`,
    'E110',
    'none of the programs has a parameter "m"',
    'did you mean "n"?',
  ],
  [
    `check ${fixtures}/holds.check.ts:4 --param m=3`,
    'E110',
    'program "senders" has no parameter "m"',
    'did you mean "n"?',
  ],
  [
    `check ${fixtures}/holds.check.ts:4 --param n=x`,
    'E107',
    'parameter "n" of program "senders" needs a number and got a string ("x")',
    '',
  ],
  [
    `check ${fixtures}/holds.check.ts -t sendres`,
    'E106',
    'no program has "sendres" in its name',
    'did you mean "senders"?',
  ],
  [
    `check ${fixtures}/race.check.ts --engine random --network fifo-eager`,
    'E107',
    'network "fifo-eager" is a variant of the dpor engine',
    '--engine dpor',
  ],
  ['check missing.check.ts', 'E101', 'missing.check.ts', ''],
  ['check docs', 'E101', 'there are no check files below docs', '*.check.ts'],
  [`check ${fixtures}/mistakes/empty.check.ts`, 'E103', 'exports nothing', 'export default program('],
  [
    `check ${fixtures}/mistakes/nothing.check.ts`,
    'E103',
    'exports answer (a number), but no program',
    'export default program(',
  ],
  [`check ${fixtures}/mistakes/broken.check.mjs`, 'E102', 'Unexpected token', ''],
  ['replay missing.trace.json', 'E101', 'missing.trace.json', ''],
  ['show missing.trace.json', 'E101', 'missing.trace.json', ''],
  [
    'check --resume missing.json',
    'E101',
    'the checkpoint missing.json cannot be read: there is no such file',
    'an incomplete check prints its path',
  ],
  ['check --resume package.json', 'E405', 'package.json is not a checkpoint', 'without --resume'],
  ['check --resume x.json --engine dpor', 'E107', '--engine cannot be given together with --resume', 'only budgets'],
]

test.each(onTheCommandLine)('allways %s: %s', async (typed, code, message, hint) => {
  await expectMistake(typed.split(' '), { code, message, hint })
})

test('all mistakes in the flags are reported at once', async () => {
  const ran = await allways(['check', '--engine', 'x', '--network', 'y', '--reporter', 'z', '--time', 'w'])
  expect(ran.stderr.match(/E1\d\d/g)).toEqual(['E108', 'E109', 'E107', 'E111'])
})

function framedLine(text: string): string {
  return text.split('\n').find((line) => /^\s+> +\d+ \|/.test(line)) ?? ''
}
