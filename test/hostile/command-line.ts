/** Command lines with mistakes in them: each is told as one, and none is a failure of ours. */
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { cwd } from 'node:process'
import { main } from '../../src/cli/main.ts'
import type { Random } from '../../src/core/random.ts'
import type { Outcome } from './mutations.ts'

export interface TypedMistake {
  readonly argv: readonly string[]
  /** No command knows it. */
  readonly isUnknown: boolean
}

type Flag = readonly [name: string] | readonly [name: string, value: string]

interface ValidLine {
  readonly command: readonly string[]
  readonly flags: readonly Flag[]
}

const fixtures = 'test/cli/fixtures'

const searches: readonly Flag[] = [
  ['--engine', 'dpor'],
  ['--network', 'fifo'],
  ['--time', '5s'],
  ['--max-executions', '100'],
  ['--memory', '2gb'],
  ['--seed', '1'],
  ['--max-steps', '100'],
  ['--deadlock', 'error'],
  ['--keep-going'],
  ['--quiet'],
  ['--param', 'n=2'],
  ['--reporter', 'text'],
  ['-t', 'senders'],
]

const validLines: readonly ValidLine[] = [
  { command: ['check', `${fixtures}/holds.check.ts`], flags: searches },
  {
    command: ['fuzz', `${fixtures}/holds.check.ts`],
    flags: [
      ['--samples', '3'],
      ['--engine', 'random'],
      ['--seed', '1'],
    ],
  },
  {
    command: ['prove', `${fixtures}/prove/lock.check.ts`],
    flags: [['-t', 'right'], ['--time', '1s'], ['--print', 'icet'], ['--json'], ['--proof', 'missing.json']],
  },
  { command: ['list', `${fixtures}/holds.check.ts`], flags: [['--json'], ['--engines']] },
  { command: ['replay', 'missing.trace.json'], flags: [['--reporter', 'text']] },
  { command: ['show', 'missing.trace.json'], flags: [['--reporter', 'mermaid']] },
  {
    command: ['linearize', 'missing.ts'],
    flags: [
      ['--class', 'Stack'],
      ['--processes', '2'],
      ['--calls', '2'],
      ['--time', '1s'],
      ['--spec', 'stack'],
    ],
  },
  {
    command: ['run', resolve(`${fixtures}/machines/election.check.ts`)],
    flags: [
      ['--all'],
      ['--as', 'node 0'],
      ['--listen', '127.0.0.1:0'],
      ['--peers', 'node 1=127.0.0.1:9,node 2=127.0.0.1:9'],
      ['--transport', 'udp'],
      ['--state-dir', 'state'],
      ['--log', 'log.jsonl'],
      ['--key-file', 'missing.key'],
      ['--control', '127.0.0.1:0'],
      ['--param', 'n=2'],
      ['--loss', '0.1'],
      ['--duplication', '0.1'],
      ['--reordering', '0.1'],
      ['--delay', '1ms'],
      ['--seed', '1'],
      ['--pause', '1ms'],
      ['--no-requests'],
      ['--json'],
      ['--time', '20ms'],
    ],
  },
  {
    command: ['online', resolve(`${fixtures}/machines/election.check.ts`)],
    flags: [
      ['--attach', '127.0.0.1:9'],
      ['--from', 'missing.snapshot.json'],
      ['--engine', 'local'],
      ['--round', '20ms'],
      ['--every', '20ms'],
      ['--rounds', '1'],
      ['--time', '50ms'],
      ['--keep-going'],
      ['--key-file', 'missing.key'],
      ['--snapshot-dir', 'snapshots'],
      ['--json'],
    ],
  },
]

/** What opens sockets and files: beside the sources, and for a moment. */
const isLive = (argv: readonly string[]): boolean => argv.includes('run') || argv.includes('online')
const liveMilliseconds = 300

const values = [
  '',
  '0',
  '-1',
  '1.5',
  'NaN',
  'soon',
  '1e999',
  'x'.repeat(5000),
  '[]',
  '{}',
  'null',
  '__proto__',
  'n=',
  '=1',
  '/proc/1/fdinfo',
]

export function typedMistake(random: Random): TypedMistake {
  const { command, flags } = random.pick(validLines)
  const chosen = random.shuffle(flags).slice(0, 1 + random.below(3))
  const [[name, value], ...others] = chosen as [Flag, ...Flag[]]
  const line = (...own: readonly string[]): readonly string[] => [
    ...command,
    ...others.flatMap((flag) => [...flag]),
    ...own,
  ]
  const given = value === undefined ? [] : [value]
  const ways: readonly (() => TypedMistake)[] = [
    () => ({ argv: line(misspelt(name, random), ...given), isUnknown: true }),
    () => ({ argv: line('--frobnicate'), isUnknown: true }),
    () => ({ argv: line(name, random.pick(values)), isUnknown: false }),
    () => ({ argv: line(name, random.pick(values)), isUnknown: false }),
    () => ({ argv: line(name), isUnknown: false }),
    () => ({ argv: line(name, ...given, name, random.pick([...given, ...values])), isUnknown: false }),
    () => ({ argv: line(name, ...given, random.pick(values)), isUnknown: false }),
    () => ({ argv: [name, ...given, ...command], isUnknown: false }),
  ]
  return random.pick(ways)()
}

/** A second letter of a short flag would be its value; a doubled one in a long flag is none. */
function misspelt(name: string, random: Random): string {
  if (!name.startsWith('--')) return '--tset'
  const position = 2 + random.below(name.length - 2)
  return `${name.slice(0, position)}${name[position]}${name.slice(position)}`
}

export async function typedOutcome({ argv, isUnknown }: TypedMistake, traces: string): Promise<Outcome> {
  let [stdout, stderr] = ['', '']
  const sink = (write: (text: string) => void) => ({ isTTY: false, columns: 100, write })
  const withTraces = ['check', 'fuzz', 'prove'].includes(argv[0] ?? '') ? [...argv, '--trace-dir', traces] : argv
  mkdirSync(traces, { recursive: true })
  const words = withTraces.map((one) => one.slice(0, 40)).join(' ')
  let code: number
  try {
    code = await main(withTraces, {
      cwd: isLive(argv) ? traces : cwd(),
      env: {},
      stdout: sink((text) => {
        stdout += text
      }),
      stderr: sink((text) => {
        stderr += text
      }),
      onInterrupt: (listener) => {
        const timer = isLive(argv) ? setTimeout(listener, liveMilliseconds) : undefined
        return () => clearTimeout(timer)
      },
    })
  } catch (error) {
    return { said: 'refused', problem: { kind: 'the command throws', words: `${words}: ${String(error)}` } }
  }
  const kind = problemOf({ code, stdout, stderr, isUnknown })
  const said = code === 0 ? 'verified' : code === 2 ? 'refused' : code === 3 ? 'incomplete' : 'violated'
  return { said, problem: kind === undefined ? undefined : { kind, words: `${words}: ${stderr.slice(0, 300)}` } }
}

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly isUnknown: boolean
}

function problemOf({ code, stderr, stdout, isUnknown }: Ran): string | undefined {
  if (code === 70 || /internal error/.test(stderr + stdout)) return 'exit 70'
  if (isUnknown && code !== 2) return 'a flag is ignored'
  if (code !== 2) return undefined
  if (!/\bE\d{3}\b/.test(stderr + stdout)) return 'a refusal without code'
  return /hint: \S/.test(stderr + stdout) || /"hint"/.test(stdout) ? undefined : 'a refusal without hint'
}
