/** From what was typed to an invocation. Only the shape is checked here; names and amounts are `flags.ts`'s business. */
import { Command, CommanderError, Option } from 'commander'
import { version } from '../check/version.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { suggestion } from '../core/did-you-mean.ts'
import { addEngineFlags } from './engine-flags.ts'
import {
  checkExamples,
  fuzzExamples,
  linearizeExamples,
  proveExamples,
  replayExamples,
  rootExamples,
  showExamples,
} from './help-examples.ts'
import { addMerge, type MergeInvocation } from './merge-arguments.ts'
import { addOnline, type OnlineInvocation } from './online-arguments.ts'
import { addRun, type RunInvocation } from './run-arguments.ts'
import { addWorker, keyFileFlag, type WorkerInvocation } from './worker-arguments.ts'

/** Flags as typed. Lists are split at commas; everything else is still text. */
export interface TypedFlags {
  readonly testName?: string
  readonly engine?: readonly string[]
  readonly network?: readonly string[]
  readonly param?: readonly string[]
  readonly faults?: string
  readonly json?: boolean
  readonly reporter?: readonly string[]
  readonly time?: string
  readonly maxExecutions?: string
  readonly units?: string
  readonly memory?: string
  readonly workers?: string
  readonly keyFile?: string
  readonly shard?: string
  readonly seed?: string
  readonly keepGoing?: boolean
  readonly traceDir?: string
  readonly deadlock?: string
  readonly monitors?: string
  readonly values?: string
  readonly pLegacy?: boolean
  readonly maxSteps?: string
  readonly allowIncomplete?: boolean
  readonly strict?: boolean
  readonly coverage?: boolean
  readonly resume?: string
  readonly trust?: boolean
  readonly quiet?: boolean
  readonly color?: boolean
  readonly ascii?: boolean
  readonly engines?: boolean
  readonly class?: string
  readonly client?: readonly string[]
  readonly args?: readonly string[]
  readonly processes?: string
  readonly calls?: string
  readonly spec?: string
  readonly reduction?: string
  readonly static?: string
  readonly stateless?: boolean
  readonly order?: string
  readonly granularity?: string
  readonly criterion?: string
  /** False after `--no-causes`. */
  readonly causes?: boolean
  readonly fix?: boolean
  readonly dryRun?: boolean
  readonly html?: string
  readonly print?: string
  readonly proof?: string
  readonly watch?: boolean
  readonly log?: readonly string[]
}

export type Invocation =
  | { readonly kind: 'print'; readonly text: string }
  | {
      readonly kind: 'check' | 'fuzz' | 'prove' | 'linearize' | 'list'
      readonly files: readonly string[]
      readonly flags: TypedFlags
    }
  | { readonly kind: 'replay'; readonly trace: string; readonly file: string | undefined; readonly flags: TypedFlags }
  | { readonly kind: 'show'; readonly trace: string; readonly flags: TypedFlags }
  | RunInvocation
  | OnlineInvocation
  | MergeInvocation
  | WorkerInvocation

export function parseArguments(argv: readonly string[]): Result<Invocation> {
  const unknown = unknownCommand(argv)
  if (unknown !== undefined) return failure(unknown)
  let printed = ''
  let invocation: Invocation | undefined
  const root = commands((chosen) => {
    invocation = chosen
  })
  for (const command of [root, ...root.commands]) {
    command.exitOverride().configureOutput({ writeOut: (text) => (printed += text), writeErr: () => {} })
    for (const option of command.options) if (option.required && option.parseArg === undefined) onlyOnce(option)
  }
  try {
    root.parse([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) return failure(usageMistake(error, root))
  }
  return success(invocation ?? { kind: 'print', text: printed || root.helpInformation() })
}

type Choose = (invocation: Invocation) => void

function commands(choose: Choose): Command {
  const root = new Command('allways')
    .description('Check distributed and concurrent TypeScript, all ways.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', rootExamples)
  addCheck(root, choose)
  addFuzz(root, choose)
  addProve(root, choose)
  addLinearize(root, choose)
  addReplay(root, choose)
  addShow(root, choose)
  addRun(root, choose)
  addOnline(root, choose)
  addList(root, choose)
  addMerge(root, choose)
  addWorker(root, choose)
  return root
}

function addCheck(root: Command, choose: Choose): void {
  const command = root
    .command('check', { isDefault: true })
    .description('explore every execution (the default command)')
    .argument('[files...]', 'check files, folders, or file:line; default: every *.check.{ts,mts,js,mjs} below here')
    .action((files: readonly string[], flags: TypedFlags) => choose({ kind: 'check', files, flags }))
    .addHelpText('after', checkExamples)
  addEngineFlags(addSearchFlags(command), 'exploring')
    .option(
      '--engine <names>',
      'dpor, exhaustive, …; several run one after the other (see allways list --engines); auto: those that answer soonest',
      list,
    )
    .option(
      '--print <what>',
      'of P programs, instead of exploring them: ir, what is explored; guards, what symbolic search keeps',
    )
    .option(
      '--log <file>',
      'instead of exploring a system: judge the run that allways run --log has logged; repeat it for several',
      collect,
    )
    .option('--resume <checkpoint>', 'go on with a search that a budget ended; with Redis, a run whose submitter died')
    .option('--units <n>', 'budget: with --resume, stop after the first n units of work that are left')
    .option(
      '--trust',
      'with --resume: run the file that the checkpoint names, wherever it is, with parameters as large as it says',
    )
  addOutputFlags(command)
}

function addFuzz(root: Command, choose: Choose): void {
  const command = root
    .command('fuzz')
    .description('sample executions at random; never says "verified"')
    .argument('[files...]', 'as for check')
    .action((files: readonly string[], flags: TypedFlags) => choose({ kind: 'fuzz', files, flags }))
    .addHelpText('after', fuzzExamples)
  addEngineFlags(addSearchFlags(command), 'sampling').option('--engine <names>', 'random (default) or pct', list)
  addOutputFlags(command)
}

function addProve(root: Command, choose: Choose): void {
  const command = root
    .command('prove')
    .description('prove for every number of processes that none waits for ever and none fails')
    .argument('[files...]', 'as for check; programs with parameters declared with every(…), or without any')
    .action((files: readonly string[], flags: TypedFlags) => choose({ kind: 'prove', files, flags }))
    .addHelpText('after', proveExamples)
    .option('-t, --test-name <text>', 'only programs whose name contains the text')
    .option('--print <what>', 'icet: the program as it is proved; proof: the steps of the proof, as JSON')
    .option('--proof <file>', 'check a proof that was printed, instead of looking for one')
    .option('--watch', 'again whenever a file changes, until Ctrl-C')
    .option(
      '--time <duration>',
      'budget of each program: half for a proof, the rest for small sizes (default 10s, in CI 1m)',
    )
    .option('--workers <n|auto>', 'threads that explore small sizes; auto: one for each processor (default 1)')
    .option('--memory <amount>', 'budget: stop exploring when this process uses so much, as in 512mb, 2gb')
    .option('--allow-incomplete', 'exit with 0 when a program is neither proved nor violated')
    .option('--trace-dir <folder>', 'where traces are written (default .allways/traces)')
  addOutputFlags(command)
}

function addLinearize(root: Command, choose: Choose): void {
  const command = root
    .command('linearize')
    .description('check that a class, or a recorded history, is linearizable')
    .argument('[files...]', 'check files, sources of classes, *.history.jsonl; default: every check file below here')
    .action((files: readonly string[], flags: TypedFlags) => choose({ kind: 'linearize', files, flags }))
    .addHelpText('after', linearizeExamples)
    .option('-t, --test-name <text>', 'only checks whose name contains the text')
    .option('--class <name>', 'the exported class; may be left out if there is only one')
    .option('--client <text>', 'the calls of each process, "{ push(1) } || { pop() }"; repeat it for several', collect)
    .option('--args <text>', 'what to call an operation with, "push: 1, 2"; repeat it for several', collect)
    .option('--processes <n>', 'bound: clients of up to so many processes (default 2)')
    .option('--calls <n>', 'bound: clients of up to so many calls per process (default 2)')
    .option('--spec <name>', 'the specification of a history, or one to use in the place of the class itself')
    .option('--criterion <name>', 'linearizable (default), or outcomes: results alone, whatever the order in time')
    .option('--granularity <name>', 'where processes interleave: access or await (default: await for async methods)')
  command.option('--engine <name>', 'stateful (default), dpor or exhaustive; random and pct sample', list)
  addReductionFlags(command)
    .option('--workers <n|auto>', 'threads that explore clients; auto: one for each processor (default 1)')
    // Said with a Redis, which has nothing for classes: that is what is wrong then, and not the flag.
    .addOption(new Option(...keyFileFlag).hideHelp())
    .option('--no-causes', 'do not look for the lines that must be atomic')
    .option('--fix', 'repair the source, if all clients verify with the repair')
    .option('--dry-run', 'with --fix: print the patch instead')
    .option('--html <file>', 'draw all that failed, and recorded histories, on one page')
    .option('--resume <checkpoint>', 'go on with a check that a budget ended, after the clients that are done')
    .option(
      '--trust',
      'with --resume: run the file that the checkpoint names, wherever it is, with parameters as large as it says',
    )
  addBudgetFlags(command)
  addOutputFlags(command)
}

/** How the states of a client are explored; the answer is the same with all of them. */
function addReductionFlags(command: Command): Command {
  return command
    .option('--reduction <name>', 'none, safe, eager, lazy (default), or portfolio: safe and lazy in two threads')
    .option('--static <on|off>', 'whether invisible steps are taken at once (default on)')
    .option('--stateless', 'do not remember states')
    .option(
      '--order <name>',
      "jobs: only JavaScript's own job order, any: awaits may take time (default); or which process is tried first: sequential (default) or random",
    )
}

function addReplay(root: Command, choose: Choose): void {
  const command = root
    .command('replay')
    .description('repeat the execution of a trace file, decision by decision')
    .argument('<trace>', 'a *.trace.json written by check, fuzz or linearize')
    .argument('[file]', 'the file of the program, if it has changed or lies outside of the project')
    .option(
      '--trust',
      'run the file that the trace names, wherever it is and whatever it has become, with parameters as large as it says',
    )
    .action((trace: string, file: string | undefined, flags: TypedFlags) =>
      choose({ kind: 'replay', trace, file, flags }),
    )
    .addHelpText('after', replayExamples)
  addOutputFlags(command)
}

function addShow(root: Command, choose: Choose): void {
  const command = root
    .command('show')
    .description('print a trace file, without the program; or the machines of a file in P')
    .argument('<trace>', 'a *.trace.json, or a *.p')
    .action((trace: string, flags: TypedFlags) => choose({ kind: 'show', trace, flags }))
    .addHelpText('after', showExamples)
  addOutputFlags(command)
}

function addList(root: Command, choose: Choose): void {
  const command = root
    .command('list')
    .description('list programs and classes without checking them')
    .argument('[files...]', 'as for check')
    .option('-t, --test-name <text>', 'only programs whose name contains the text')
    .option('--engines', 'list engines and networks instead')
    .option('--p-legacy', 'read P as it was before some of its words became keywords')
    .action((files: readonly string[], flags: TypedFlags) => choose({ kind: 'list', files, flags }))
  addOutputFlags(command)
}

function addSearchFlags(command: Command): Command {
  command
    .option('-t, --test-name <text>', 'only programs whose name contains the text')
    .option('--network <names>', 'bag, fifo, causal, mailbox, sender-queue; several run one after the other', list)
    .option('--param <name=value>', 'set a parameter; repeat it, or write name=2,3, to run several values', collect)
    .option('--faults <budget>', 'what may go wrong and how often, as in crashes=1,losses=2, or none', joined)
    .option('--max-executions <n>', 'budget: stop after so many executions')
    .option(
      '--workers <n|auto|url>',
      'threads that explore; auto: one for each processor (default 1); redis://…: workers on other machines',
    )
    .option(...keyFileFlag)
    .option('--shard <i/n>', 'explore the i-th of n parts; allways merge gives the verdict of the whole')
    .option(
      '--max-steps <n>',
      'bound: every process stops after so many operations; with symbolic, executions after so many steps',
    )
    .option('--monitors <declared|all>', 'of P programs without tests: whether all monitors watch, or none')
    .option(
      '--values <all|1|2|3|4|5>',
      'of P programs with abstracted types: all values, or so many in each class of many',
    )
    .option('--p-legacy', 'read P as it was before some of its words became keywords')
    .option('--coverage', 'of P programs: by machine and state, which events were handled and which never were')
  return addBudgetFlags(command)
}

/** Flags that mean the same for programs and classes. */
function addBudgetFlags(command: Command): Command {
  return command
    .option('--time <duration>', 'budget of each search, as in 500ms, 60s, 10m (default 60s, in CI 10m)')
    .option('--memory <amount>', 'budget of each search: stop when it has taken so much, as in 512mb, 2gb')
    .option('--seed <n>', 'seed of everything random (default 0)')
    .option('--keep-going', 'collect all violations instead of stopping at the first')
    .option('--deadlock <error|allow>', 'whether processes may wait for ever (default: as the program says)')
    .option('--allow-incomplete', 'exit with 0 when a budget ended a search')
    .option('--strict', 'exit with 1 when something never happened: what a note below the verdict says')
    .option('--trace-dir <folder>', 'where traces are written (default .allways/traces)')
}

function addOutputFlags(command: Command): Command {
  return command
    .option('--reporter <names>', 'text, json, mermaid; several at once', list)
    .option('--json', 'the same as --reporter json: one object on stdout, all else on stderr')
    .option('-q, --quiet', 'no progress; only results that are not ok')
    .option('--color', 'colours even when the output is not a terminal')
    .option('--no-color', 'no colours')
    .option('--ascii', 'no arrows and boxes beyond ASCII')
}

/** What is said twice is meant once: nothing is run again for it. */
function list(text: string, before: readonly string[] = []): readonly string[] {
  return [...new Set([...before, ...text.split(',').map((part) => part.trim())])]
}

const pathLike = /<(file|folder|checkpoint|snapshot)>/
const emptyPath = 'allways.empty'

/**
 * Of a flag that takes one value, the last one would be taken without a word about the others. An empty path, as of a variable of the
 * shell that is not set, would be the folder that the command runs in, or nothing at all.
 */
function onlyOnce(option: Option): void {
  const isPath = pathLike.test(option.flags)
  option.argParser((text: string, before: string | undefined) => {
    if (isPath && text === '') throw new CommanderError(2, emptyPath, `${option.long} is empty, but it must be a path`)
    if (before === undefined) return text
    throw new CommanderError(2, 'allways.twice', `${option.long} is given twice, as ${before} and ${text}`)
  })
}

/** Repeated flags say one thing together. */
function joined(text: string, before?: string): string {
  return before === undefined ? text : `${before},${text}`
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

const commandNames = [
  ...['check', 'fuzz', 'prove', 'linearize', 'replay', 'show', 'run', 'online', 'list', 'merge', 'worker', 'help'],
]

/** `check` is the default command, so a word that is neither a command nor looks like a file would be taken for a file. */
function unknownCommand(argv: readonly string[]): Diagnostic | undefined {
  const [first] = argv
  if (first === undefined || first.startsWith('-') || /[./\\:]/.test(first) || commandNames.includes(first))
    return undefined
  return { code: 'E105', message: `there is no command "${first}"`, hint: suggestion(first, commandNames, 'commands') }
}

function usageMistake(error: CommanderError, root: Command): Diagnostic {
  const [first = '', ...rest] = error.message.split('\n')
  const suggested = /\(Did you mean (.*)\?\)/.exec(rest.join(' '))?.[1]
  if (error.code === emptyPath) return { code: 'E107', message: first, hint: 'name a path, or leave the flag out' }
  return {
    code: 'E105',
    message: first.replace(/^error: /, ''),
    hint: elsewhere(first, root) ?? (suggested === undefined ? 'see allways --help' : `did you mean ${suggested}?`),
  }
}

/** An option that is right, of another command. */
function elsewhere(message: string, root: Command): string | undefined {
  const option = /unknown option '(--[^'=]+)/.exec(message)?.[1]
  const owners = root.commands.filter(({ options }) => options.some(({ long }) => long === option))
  if (option === undefined || owners.length === 0) return undefined
  return `${option} is an option of ${owners.map((owner) => `allways ${owner.name()}`).join(', ')}`
}
