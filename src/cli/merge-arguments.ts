/** `merge` on the command line: what may be typed. */
import type { Command } from 'commander'

/** As typed. */
export interface TypedMergeFlags {
  readonly allowIncomplete?: boolean
  readonly strict?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
  readonly color?: boolean
  readonly ascii?: boolean
}

export interface MergeInvocation {
  readonly kind: 'merge'
  readonly reports: readonly string[]
  readonly flags: TypedMergeFlags
}

export function addMerge(root: Command, choose: (invocation: MergeInvocation) => void): void {
  root
    .command('merge')
    .description('from reports of shards, the verdict of the whole')
    .argument('<reports...>', 'what allways check --shard i/n --json has printed, or folders with such files')
    .action((reports: readonly string[], flags: TypedMergeFlags) => choose({ kind: 'merge', reports, flags }))
    .addHelpText('after', examples)
    .option('--allow-incomplete', 'exit with 0 when a shard is missing or was not explored to its end')
    .option('--strict', 'exit with 1 when something never happened: what a note below the verdict says')
    .option('--json', 'one object on stdout, all else on stderr')
    .option('-q, --quiet', 'only results that are not ok')
    .option('--color', 'colours even when the output is not a terminal')
    .option('--no-color', 'no colours')
    .option('--ascii', 'no arrows and boxes beyond ASCII')
}

const examples = `
Examples:
  allways check orders.check.ts --shard 1/2 --json > reports/1.json
  allways check orders.check.ts --shard 2/2 --json > reports/2.json
  allways merge reports/*.json

Exit status: 0 holds, 1 violated, 2 your mistake, 3 a part is missing, 70 our mistake.`
