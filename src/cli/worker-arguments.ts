/** `worker` on the command line, and what those who submit searches to workers may type. */
import type { Command } from 'commander'

/** As typed. */
export interface TypedWorkerFlags {
  readonly redis?: string
  readonly keyFile?: string
  readonly workers?: string
  readonly quiet?: boolean
  readonly color?: boolean
  readonly ascii?: boolean
}

export interface WorkerInvocation {
  readonly kind: 'worker'
  readonly flags: TypedWorkerFlags
}

export const keyFileFlag = [
  '--key-file <file>',
  'with Redis: the secret of workers and those who submit searches, 16 bytes or more (default: .allways/key)',
] as const

export function addWorker(root: Command, choose: (invocation: WorkerInvocation) => void): void {
  root
    .command('worker')
    .description('explore parts of searches that others submit; runs the code that they submit')
    .action((flags: TypedWorkerFlags) => choose({ kind: 'worker', flags }))
    .addHelpText('after', examples)
    .requiredOption('--redis <url>', 'redis://name:password@host:6379, or rediss:// with TLS')
    .option(...keyFileFlag)
    .option('--workers <n|auto>', 'threads that explore; auto: one for each processor (default 1)')
    .option('-q, --quiet', 'say nothing but what goes wrong')
    .option('--color', 'colours even when the output is not a terminal')
    .option('--no-color', 'no colours')
    .option('--ascii', 'no arrows and boxes beyond ASCII')
}

const examples = `
Examples:
  allways worker --redis redis://10.0.0.5:6379 --key-file key --workers auto
  allways check orders.check.ts --workers redis://10.0.0.5:6379 --key-file key

Exit status: 0 stopped, 2 your mistake, 70 our mistake.`
