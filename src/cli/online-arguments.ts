/** `online` on the command line: what may be typed. */
import type { Command } from 'commander'

/** As typed. */
export interface TypedOnlineFlags {
  readonly testName?: string
  readonly attach?: readonly string[]
  readonly from?: string
  readonly engine?: string
  readonly round?: string
  readonly every?: string
  readonly rounds?: string
  readonly time?: string
  readonly keepGoing?: boolean
  readonly keyFile?: string
  readonly snapshotDir?: string
  readonly json?: boolean
  readonly quiet?: boolean
  readonly color?: boolean
  readonly ascii?: boolean
}

export interface OnlineInvocation {
  readonly kind: 'online'
  readonly file: string
  readonly flags: TypedOnlineFlags
}

export function addOnline(root: Command, choose: (invocation: OnlineInvocation) => void): void {
  root
    .command('online')
    .description('predict violations of a running system from its live state')
    .argument('<file>', 'the file that the system was started from')
    .action((file: string, flags: TypedOnlineFlags) => choose({ kind: 'online', file, flags }))
    .addHelpText('after', examples)
    .option('-t, --test-name <text>', 'the system whose name contains the text')
    .option(
      '--attach <addresses>',
      'control channels of its machines; one is enough, others stand in for it',
      commaList,
    )
    .option('--from <snapshot>', 'one round from a snapshot in a file, instead of a running system')
    .option('--engine <name>', 'local or stateful, alone (default: both in turn, and the first answer counts)')
    .option('--round <duration>', 'how long each round searches (default 5s)')
    .option('--every <duration>', 'rounds begin at least so far apart (default: as long as --round)')
    .option('--rounds <n>', 'end after so many rounds (default: at Ctrl-C)')
    .option('--time <duration>', 'end after so long')
    .option('--keep-going', 'go on after the first prediction')
    .option('--key-file <file>', 'the secret of the machines (default: .allways/key)')
    .option('--snapshot-dir <folder>', 'where snapshots behind predictions are written (default .allways/snapshots)')
    .option('--json', 'one JSON object per line on stdout, all else on stderr')
    .option('-q, --quiet', 'only predictions and trouble')
    .option('--color', 'colours even when the output is not a terminal')
    .option('--no-color', 'no colours')
    .option('--ascii', 'no arrows and boxes beyond ASCII')
}

function commaList(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').map((part) => part.trim())].filter((part) => part !== '')
}

const examples = `
Examples:
  allways online paxos.check.ts --attach 127.0.0.1:7101,127.0.0.1:7102
  allways online paxos.check.ts --attach 127.0.0.1:7101 --round 30s --rounds 20 --json
  allways online paxos.check.ts --from .allways/snapshots/paxos.1f2e.snapshot.json

Exit status: 0 nothing predicted, 1 a violation was predicted, 2 your mistake, 3 ended before the
rounds asked for, 70 our mistake.`
