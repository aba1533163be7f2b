/** The flags of `linearize`, checked before any file is loaded. */
import { reductionNames } from '../check/portfolio.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { TypedFlags } from './arguments.ts'
import { oneOf } from './flag-values.ts'
import { type SearchFlags, searchFlags } from './flags.ts'
import type { Io } from './io.ts'
import type { ClassFlags } from './select-classes.ts'

/** What is to be done about every class. */
export interface LinearizeFlags extends ClassFlags {
  readonly search: SearchFlags
  /** Two reductions at once. */
  readonly isPortfolio: boolean
  readonly fix: 'no' | 'print' | 'write'
  readonly html: string | undefined
}

export function linearizeFlags(flags: TypedFlags, io: Io): Result<LinearizeFlags> {
  const reduction = oneOf('--reduction', flags.reduction, reductionNames)
  const isPortfolio = flags.reduction === 'portfolio'
  const { reduction: _, ...others } = flags
  const search = searchFlags('linearize', isPortfolio || !reduction.ok ? others : flags, io)
  const wrong = [reduction, search].flatMap((one) => (one.ok ? [] : one.diagnostics)).concat(contradictions(flags))
  if (!search.ok || wrong.length > 0) return failure(...wrong)
  return success({
    search: search.value,
    isPortfolio,
    testName: flags.testName,
    className: flags.class,
    args: flags.args ?? [],
    clients: flags.client,
    fix: flags.fix === true ? (flags.dryRun === true ? 'print' : 'write') : 'no',
    html: flags.html,
  })
}

/** Flags about classes that were typed for recorded histories alone. */
export function unfitForHistories(flags: TypedFlags): readonly Diagnostic[] {
  const { testName, client, args, processes, calls, criterion, granularity, reduction, stateless, order } = flags
  const about = {
    '--test-name': testName,
    '--class': flags.class,
    '--client': client,
    '--args': args,
    '--processes': processes,
    '--calls': calls,
    '--criterion': criterion,
    '--granularity': granularity,
    '--engine': flags.engine,
    '--reduction': reduction,
    '--static': flags.static,
    '--stateless': stateless,
    '--order': order,
    '--deadlock': flags.deadlock,
    '--keep-going': flags.keepGoing,
    '--fix': flags.fix,
    '--no-causes': flags.causes === false ? false : undefined,
  }
  return Object.entries(about)
    .filter(([, value]) => value !== undefined)
    .map(([flag]) => ({
      code: 'E107',
      message: `${flag} is about classes, and a history is not a class`,
      hint: 'a recorded history takes --spec, --html and budgets',
    }))
}

function contradictions(flags: TypedFlags): readonly Diagnostic[] {
  const wrong: (readonly [boolean, string, string])[] = [
    [flags.dryRun === true && flags.fix !== true, '--dry-run without --fix', 'write --fix --dry-run'],
    [flags.fix === true && flags.causes === false, '--fix with --no-causes', 'a patch is made of the causes'],
    [
      flags.client !== undefined && (flags.processes !== undefined || flags.calls !== undefined),
      '--client with --processes or --calls',
      'the clients given are checked, or all within bounds',
    ],
    [(flags.engine?.length ?? 0) > 1, 'several engines', 'name one; allways check takes several'],
    [
      flags.reduction === 'portfolio' && (flags.engine?.[0] ?? 'stateful') !== 'stateful',
      '--reduction portfolio with another engine',
      'a portfolio is two reductions of the engine stateful',
    ],
    [
      flags.fix === true && flags.order === 'jobs',
      '--fix with --order jobs',
      'lines are made atomic where awaits take time: leave --order out',
    ],
    [flags.client !== undefined && flags.args !== undefined, '--client with --args', 'a client says its arguments'],
  ]
  return wrong
    .filter(([is]) => is)
    .map(([, message, hint]) => ({ code: 'E107', message: `${message} makes no sense`, hint }))
}
