/** Files as the tool writes them, and the commands that read them: of every format that a user can hand over. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Ran, ran } from './command.ts'
import { liveLog } from './live-log.ts'

export interface Genuine {
  readonly name: string
  readonly format:
    | 'trace'
    | 'checkpoint'
    | 'proof'
    | 'report'
    | 'history'
    | 'log'
    | 'snapshot'
    | 'state'
    | 'lock'
    | 'key'
  readonly text: string
  /** `FILE` and `FOLDER` stand for where it is. */
  readonly commands: readonly (readonly string[])[]
  /** The name that it must have, if that matters. */
  readonly file?: string | undefined
  /** Executions, or states, of the search that the file is a part of, from its beginning to its end. */
  readonly whole?: number | undefined
}

const sources = [
  'examples/bank.check.ts',
  'examples/cache.check.ts',
  'examples/cache.ts',
  'examples/faults.check.ts',
  'examples/lease.check.ts',
  'examples/payment.check.ts',
  'examples/task-service.check.ts',
  'test/cli/fixtures/holds.check.ts',
  'test/cli/fixtures/objects/counter.check.ts',
  'test/cli/fixtures/objects/counter.ts',
  'test/online/fixtures/log.check.ts',
  'corpus/histories/cas-register-no.history.jsonl',
  'corpus/histories/kv-yes.history.jsonl',
  'corpus/histories/lock-no.history.jsonl',
  'corpus/histories/log-yes.history.jsonl',
  'test/cli/fixtures/objects/fine.history.jsonl',
]

/** What is done with systems on a network. */
const system = 'payment.check.ts'
/** What is judged by its logs. */
const logged = 'lease.check.ts'
/** A P program. */
const commit = 'commit.p'

/** Makes `folder` a project of its own, in which everything below is run. */
export async function genuineFiles(root: string, folder: string): Promise<readonly Genuine[]> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  for (const source of sources) copyFileSync(join(root, source), join(folder, basename(source)))
  copyFileSync(join(root, 'corpus/starvation/model.check.ts'), join(folder, 'starvation.check.ts'))
  copyFileSync(join(root, 'corpus/p-two-phase-commit/model.p'), join(folder, commit))
  for (const name of ['map.ts', 'broken.ts']) copyFileSync(join(root, 'corpus/coarse-map', name), join(folder, name))
  copyFileSync(join(root, 'corpus/coarse-map/model.check.ts'), join(folder, 'map.check.ts'))
  return [
    ...(await traces(folder)),
    ...(await checkpoints(folder)),
    ...(await proofs(folder)),
    ...(await reports(folder)),
    ...(await logs(folder)),
    ...histories(folder),
    ...snapshots,
    ...(await states(folder)),
    { name: 'key', format: 'key', text: `${'0123456789abcdef'.repeat(4)}\n`, commands: runs(['--key-file', 'FILE']) },
  ]
}

function runs(flags: readonly string[]): Genuine['commands'] {
  return [['run', system, '--all', '--transport', 'tcp', '--time', '1ms', '--json', ...flags]]
}

async function traces(folder: string): Promise<readonly Genuine[]> {
  const found: readonly (readonly string[])[] = [
    ['check', 'bank.check.ts', '--network', 'bag'],
    ['check', 'faults.check.ts', '-t', 'trusting'],
    ['check', 'starvation.check.ts', '-t', 'kept'],
    ['check', commit, '-t', 'careless'],
    ['check', system],
    ['linearize', 'cache.check.ts'],
    ['online', 'log.check.ts', '--from', 'live.json'],
  ]
  writeFileSync(join(folder, 'live.json'), JSON.stringify(live))
  const made: Genuine[] = []
  for (const [index, argv] of found.entries()) {
    const { stdout } = await expected(1, argv, folder)
    const path = /allways replay (\S+)/.exec(stdout)?.[1]
    if (path === undefined) throw new Error(`no trace of ${argv.join(' ')}`)
    made.push({
      name: `trace ${index}`,
      format: 'trace',
      text: readFileSync(join(folder, path), 'utf8'),
      commands: [
        ['show', 'FILE'],
        ['show', 'FILE', '--json'],
        ['show', 'FILE', '--reporter', 'mermaid'],
        ['replay', 'FILE'],
        ['replay', 'FILE', argv[1] as string, '--reporter', 'json,text'],
      ],
    })
  }
  return made
}

async function checkpoints(folder: string): Promise<readonly Genuine[]> {
  const holds = ['check', 'holds.check.ts:4', '--param']
  const found: readonly (readonly string[])[] = [
    [...holds, 'n=4', '--max-executions', '7'],
    [...holds, 'n=2', '--engine', 'exhaustive', '--max-executions', '7'],
    [...holds, 'n=2', '--engine', 'random', '--max-executions', '7'],
  ]
  const made: Genuine[] = [await ofClass(folder), await ofP(folder)]
  for (const [index, argv] of found.entries()) {
    const { stdout } = await expected(3, [...argv, '--json'], folder)
    const [{ checkpoint }] = resultsIn(stdout) as [{ readonly checkpoint: string }]
    made.push({ name: `checkpoint ${index}`, ...(await resumed(checkpoint, folder)) })
  }
  return made
}

async function resumed(checkpoint: string, folder: string): Promise<Omit<Genuine, 'name'>> {
  const text = readFileSync(join(folder, checkpoint), 'utf8')
  const resume = (file: string, time: string) => ['check', '--resume', file, '--time', time, '--json']
  const rest = await expected(0, resume(checkpoint, '60s'), folder)
  const [{ counts }] = resultsIn(rest.stdout) as readonly [{ readonly counts: Counted }]
  return { format: 'checkpoint', text, commands: [resume('FILE', '300ms')], whole: headline(counts) }
}

/** Time is the only budget of a P program as well; it begins with too little, whatever the machine. */
async function ofP(folder: string): Promise<Genuine> {
  const asked = ['check', commit, '-t', 'twoClients', '--json', '--time']
  for (let milliseconds = 1; ; milliseconds *= 2) {
    const { stdout } = await expected(3, [...asked, `${milliseconds}ms`], folder)
    const [{ checkpoint }] = resultsIn(stdout) as readonly [{ readonly checkpoint?: string }]
    if (checkpoint !== undefined) return { name: 'checkpoint of P', ...(await resumed(checkpoint, folder)) }
  }
}

export interface Counted {
  readonly executions?: number
  readonly states?: number
}

export function headline({ executions, states }: Counted): number | undefined {
  return executions ?? states
}

/** Time is the only budget of a class: one that is enough for some clients, and not for all. */
async function ofClass(folder: string): Promise<Genuine> {
  const asked = ['linearize', 'map.check.ts', '-t', 'CoarseMap', '--processes', '2', '--calls', '2']
  for (let milliseconds = 100; ; milliseconds *= 2) {
    const { stdout } = await expected(3, [...asked, '--time', `${milliseconds}ms`, '--json'], folder)
    const [{ checkpoint }] = resultsIn(stdout) as [{ readonly checkpoint?: string }]
    if (checkpoint === undefined) continue
    const text = readFileSync(join(folder, checkpoint), 'utf8')
    const commands = [['linearize', '--resume', 'FILE', '--time', '30ms', '--json']]
    return { name: 'checkpoint of a class', format: 'checkpoint', text, commands }
  }
}

export function resultsIn(stdout: string): readonly unknown[] {
  return (JSON.parse(stdout) as { readonly results: readonly unknown[] }).results
}

async function proofs(folder: string): Promise<readonly Genuine[]> {
  const asked = ['prove', 'task-service.check.ts', '-t', 'task service']
  const { stdout } = await expected(0, [...asked, '--print', 'proof'], folder)
  const commands = [[...asked, '--proof', 'FILE', '--time', '300ms']]
  return [{ name: 'proof', format: 'proof', text: stdout, commands }]
}

/** Of one shard of three, which merge says about the others that they are missing, and of all. */
async function reports(folder: string): Promise<readonly Genuine[]> {
  const made: Genuine[] = []
  for (const [program, code] of [
    ['bank.check.ts', 1],
    ['holds.check.ts:4', 0],
  ] as const) {
    const [first = '', ...others] = await Promise.all(
      ['1/2', '2/2'].map(async (shard) => {
        const asked = ['check', program, '--network', 'bag', '--shard', shard, '--keep-going', '--json']
        return (await ran(asked, folder)).stdout
      }),
    )
    const beside = others.map((text, at) => {
      const name = `${basename(program.split(':')[0] as string)}.${at}.json`
      writeFileSync(join(folder, name), text)
      return name
    })
    const commands = [
      ['merge', 'FILE', ...beside],
      ['merge', 'FILE', ...beside, '--json'],
    ]
    writeFileSync(join(folder, 'whole.json'), first)
    await expected(code, ['merge', 'whole.json', ...beside], folder)
    made.push({ name: `report of ${program}`, format: 'report', text: first, commands })
  }
  return made
}

async function logs(folder: string): Promise<readonly Genuine[]> {
  await expected(0, ['run', logged, '--all', '--transport', 'tcp', '--time', '200ms', '--log', 'run.jsonl'], folder)
  const text = readFileSync(join(folder, 'run.jsonl'), 'utf8')
  const commands = [
    ['check', logged, '--log', 'FILE', '--time', '300ms'],
    ['check', logged, '--log', 'FILE', '--time', '300ms', '--json'],
  ]
  return [{ name: 'log', format: 'log', text, commands }]
}

function histories(folder: string): readonly Genuine[] {
  const names = sources.map((source) => basename(source)).filter((name) => name.endsWith('.history.jsonl'))
  return names.map((name) => ({
    name,
    format: 'history',
    text: readFileSync(join(folder, name), 'utf8'),
    commands: [
      ['linearize', 'FILE', '--time', '300ms'],
      ['linearize', 'FILE', '--time', '300ms', '--json'],
      ['linearize', 'FILE', '--time', '300ms', '--spec', 'register'],
    ],
  }))
}

async function states(folder: string): Promise<readonly Genuine[]> {
  await expected(0, ['run', system, '--all', '--state-dir', 'kept', '--time', '20ms'], folder)
  const names = readdirSync(join(folder, 'kept')).filter((name) => name.endsWith('.state.json'))
  const commands = runs(['--state-dir', 'FOLDER'])
  const saved = names.map((file): Genuine => {
    return { name: file, format: 'state', text: readFileSync(join(folder, 'kept', file), 'utf8'), file, commands }
  })
  const text = '{"pid":4194303,"host":"elsewhere"}\n'
  return [...saved, { name: 'lock', format: 'lock', text, file: `${names[0]}.lock`, commands }]
}

/** What the rest depends on must hold. */
async function expected(code: number, argv: readonly string[], folder: string): Promise<Ran> {
  const done = await ran(argv, folder)
  if (done.code !== code) throw new Error(`${argv.join(' ')} ends with ${done.code}: ${done.stderr}${done.stdout}`)
  return done
}

const live = {
  ...liveLog,
  underWay: [{ from: 'left', to: 'middle', message: { kind: 'chosen', index: 0, value: 'l0' } }],
}

const snapshots: readonly Genuine[] = [
  {
    name: 'snapshot',
    format: 'snapshot',
    text: JSON.stringify(live),
    commands: [
      ['online', 'log.check.ts', '--from', 'FILE', '--round', '30ms'],
      ['online', 'log.check.ts', '--from', 'FILE', '--round', '30ms', '--json'],
      ['online', 'log.check.ts', '--from', 'FILE', '--round', '30ms', '--engine', 'stateful'],
    ],
  },
]
