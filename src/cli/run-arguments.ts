/** `run` on the command line: what may be typed. */
import type { Command } from 'commander'

/** As typed. */
export interface TypedRunFlags {
  readonly testName?: string
  readonly as?: string
  readonly all?: boolean
  readonly listen?: string
  readonly peers?: readonly string[]
  readonly transport?: string
  readonly stateDir?: string
  readonly log?: string
  readonly keyFile?: string
  readonly control?: string
  readonly param?: readonly string[]
  readonly loss?: string
  readonly duplication?: string
  readonly reordering?: string
  readonly delay?: string
  readonly seed?: string
  /** False after `--no-requests`. */
  readonly requests?: boolean
  readonly pause?: string
  readonly time?: string
  readonly json?: boolean
  readonly quiet?: boolean
  readonly color?: boolean
  readonly ascii?: boolean
}

export interface RunInvocation {
  readonly kind: 'run'
  readonly file: string
  readonly flags: TypedRunFlags
}

export function addRun(root: Command, choose: (invocation: RunInvocation) => void): void {
  root
    .command('run')
    .description('run the machines of a system on a real network')
    .argument('<file>', 'a file that exports a system')
    .action((file: string, flags: TypedRunFlags) => choose({ kind: 'run', file, flags }))
    .addHelpText('after', examples)
    .option('-t, --test-name <text>', 'the system whose name contains the text')
    .option('--as <machine>', 'the machine to run here')
    .option('--all', 'run all machines here, on ports of the loopback interface')
    .option('--listen <address>', 'where the machine listens (default: its entry in --peers, or any loopback port)')
    .option('--peers <list>', "where the others listen: 'node 0=127.0.0.1:7000,node 2=127.0.0.1:7002'", commaList)
    .option('--transport <name>', 'udp (default) or tcp')
    .option('--state-dir <folder>', 'where durable fields are kept; without it a crash forgets everything')
    .option('--log <file>', 'append every event and what was sent, as JSON lines')
    .option('--key-file <file>', 'the secret of all machines, 16 bytes or more (default: .allways/key)')
    .option('--control <address>', 'where to ask for snapshots and counters')
    .option('--param <name=value>', 'set a parameter; repeat it for several', collect)
    .option('--no-requests', 'do not make the requests that the system declares')
    .option('--pause <duration>', 'make each of them after a random time up to this (default: at once)')
    .option('--loss <probability>', 'lose frames on purpose, 0 to 1')
    .option('--duplication <probability>', 'repeat messages on purpose')
    .option('--reordering <probability>', 'let messages overtake each other on purpose; udp only')
    .option('--delay <duration>', 'delay frames on purpose by a random time up to this')
    .option('--seed <n>', 'seed of faults, pauses and choices (default 0)')
    .option('--time <duration>', 'stop after so long (default: at Ctrl-C)')
    .option('--json', 'one object on stdout at the end')
    .option('-q, --quiet', 'say nothing but what goes wrong')
    .option('--color', 'colours even when the output is not a terminal')
    .option('--no-color', 'no colours')
    .option('--ascii', 'no arrows and boxes beyond ASCII')
}

function commaList(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').map((part) => part.trim())].filter((part) => part !== '')
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

const examples = `
Examples:
  allways run paxos.check.ts --all --loss 0.3 --time 10s --log paxos.jsonl
  allways run paxos.check.ts --as 'node 1' --listen 127.0.0.1:7001 \\
    --peers 'node 0=127.0.0.1:7000,node 2=127.0.0.1:7002' --state-dir state --control 127.0.0.1:7101

Exit status: 0 stopped, 1 a handler failed while it ran, 2 your mistake, 70 our mistake.`
