/** Commands each of which is long in another part of the work: what is interrupted there, and what a budget of time ends there. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Phase {
  readonly name: string
  readonly argv: readonly string[]
  /** How often it says that it has begun before the work begins; 0 if it says nothing. */
  readonly tells: number
  /** Run before, once. */
  readonly before?: readonly string[]
  /** False where there is no budget of time. */
  readonly hasTime?: boolean
}

/** Where the command is run; files that are made for it are there. */
export interface Places {
  readonly fixtures: string
  readonly corpus: string
  readonly folder: string
}

export function phasesIn({ fixtures, corpus, folder }: Places): readonly Phase[] {
  const processes = join(fixtures, 'processes.check.ts')
  const machines = join(fixtures, 'machines.check.ts')
  const proofs = join(fixtures, 'proofs.check.ts')
  const classes = join(fixtures, 'classes.check.ts')
  const actions = join(fixtures, 'actions.check.ts')
  const tree = join(corpus, 'paxos-tree/model.check.ts')
  const p = (file: string, name: string, ...more: readonly string[]) => [
    'check',
    join(corpus, '../bench/symbolic', file),
    '-t',
    name,
    ...more,
  ]
  const checkpoints = join(folder, '.allways/checkpoints')
  const checked = (name: string, ...more: readonly string[]) => ['check', processes, '-t', name, ...more]
  const engines = ['dpor', 'exhaustive', 'random', 'pct', 'stateful']
  const traces = join(folder, 'traces')
  const told = (tells: number, all: Readonly<Record<string, readonly string[]>>): Phase[] =>
    Object.entries(all).map(([name, argv]) => ({ name, argv, tells }))
  const byEngine = (what: string, program: string): Phase[] =>
    engines.map((engine) => ({ name: `${engine}, ${what}`, argv: checked(program, '--engine', engine), tells: 1 }))
  const untimed = { tells: 0, hasTime: false }
  const paxos = join(corpus, 'paxos/model.check.ts')
  return [
    ...byEngine('long', 'long'),
    ...byEngine('slow steps', 'slow'),
    ...byEngine('many', 'crowd'),
    ...told(1, {
      'dpor, much left': checked('choices'),
      'dpor, two threads': checked('long', '--workers', '2'),
      'dpor, two threads, slow steps': checked('slow', '--workers', '2'),
      'dpor, two threads, much left': checked('choices', '--workers', '2'),
      'exhaustive, two threads': checked('choices', '--engine', 'exhaustive', '--workers', '2'),
      'random, two threads': checked('long', '--engine', 'random', '--workers', '2'),
      'pct, two threads': checked('slow', '--engine', 'pct', '--workers', '2'),
      'judge, two threads': checked('late', '--workers', '2'),
      'exhaustive, much left': checked('choices', '--engine', 'exhaustive'),
      'judge, random': checked('late', '--engine', 'random'),
      'judge, dpor': checked('late'),
      'dpor, machines': ['check', machines, '--engine', 'dpor'],
      'local, machines': ['check', machines, '--engine', 'local'],
      'stateful, machines': ['check', machines, '--engine', 'stateful'],
      'random, machines': ['check', machines, '--engine', 'random'],
      race: ['check', machines],
      'stateful, executions without end': ['check', join(fixtures, 'liveness.check.ts'), '--engine', 'stateful'],
      'stateful, many actions': ['check', actions, '--engine', 'stateful'],
      'stateful, parties alike': ['check', actions, '--engine', 'stateful', '--symmetry'],
      'judge, many violations': checked('faulty', '--keep-going'),
      'prove, solver': ['prove', proofs, '-t', 'cubes'],
      'prove, confirmation': ['prove', proofs, '-t', 'crowd'],
      'prove, small sizes': ['prove', proofs, '-t', 'open'],
    }),
    ...told(1, {
      class: ['linearize', classes, '-t', 'Silent'],
      'class, portfolio': ['linearize', classes, '-t', 'Silent', '--reduction', 'portfolio'],
      'class, causes': ['linearize', classes, '-t', 'Ring'],
      'class, fix': ['linearize', classes, '-t', 'Broken', '--fix', '--dry-run'],
    }),
    ...told(0, {
      histories: ['linearize', historyIn(folder)],
      'race, paxos': ['check', paxos, '-t', 'paxos'],
      refinement: ['check', tree, '-t', 'paxos', '--param', 'rounds=3'],
      'refinement, parties alike': ['check', tree, '-t', 'paxos', '--param', 'rounds=3', '--symmetry'],
      'P, stateful': p('flexible-paxos.p', 'threeBallots', '--engine', 'stateful'),
      'P, stateful, symmetry': p('flexible-paxos.p', 'threeBallots', '--engine', 'stateful', '--symmetry'),
      'P, symbolic': p('paxos.p', 'size_5', '--engine', 'symbolic'),
      'P, race': p('flexible-paxos.p', 'threeBallots'),
      'P, dpor': p('voters.p', 'size_7', '--engine', 'dpor'),
      run: ['run', paxos, '-t', 'paxos', '--all'],
    }),
    {
      name: 'dpor, resumed',
      before: checked('crowd', '--time', '2s'),
      argv: ['check', '--resume', join(checkpoints, 'crowd.*.json'), processes],
      tells: 1,
    },
    {
      name: 'replay, long',
      before: checked('late', '--trace-dir', traces),
      argv: ['replay', join(traces, '*.trace.json')],
      ...untimed,
    },
    // It says so when it begins, and at the end of the execution that is found and of the three that the judge compares.
    { name: 'report, long', argv: checked('reported', '--engine', 'random'), tells: 5, hasTime: false },
    {
      name: 'report, long diagram',
      argv: checked('reported', '--engine', 'random', '--reporter', 'mermaid'),
      tells: 5,
      hasTime: false,
    },
    { name: 'show, long', argv: ['show', join(traces, '*.trace.json')], ...untimed },
    { name: 'list, many files', argv: ['list', corpus], ...untimed },
    { name: 'check, many files', argv: ['check', corpus, '-q'], ...untimed },
  ]
}

/** Sums of a set of numbers: what is read is not one of them, which takes as many steps as the set has subsets to find out. */
function historyIn(folder: string): string {
  const amounts = Array.from({ length: 26 }, (_, at) => 1_000 + 2 * ((at * 7_919) % 911))
  const lines: object[] = [{ format: 'allways-history/1', specification: 'counter' }]
  for (const [at, amount] of amounts.entries())
    lines.push({ process: `p${at}`, type: 'invoke', op: 'add', args: [amount], time: at + 1 })
  lines.push({ process: 'r', type: 'invoke', op: 'get', args: [], time: 40 })
  lines.push({ process: 'r', type: 'ok', op: 'get', value: 20_001, time: 50 })
  for (const at of amounts.keys()) lines.push({ process: `p${at}`, type: 'ok', op: 'add', value: null, time: 60 + at })
  const path = join(folder, 'sums.history.jsonl')
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}
