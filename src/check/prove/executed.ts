/**
 * Every proof confirmed by execution: before a program is called proved, what the program itself does for small sizes is shown to be
 * what its term does. The proof is one of the term, and only this ties the term to the program (ADR 16).
 */
import { type Diagnostic, DiagnosticError, orThrow } from '../../core/diagnostic.ts'
import type { Confirmation } from '../../core/evidence.ts'
import type { Params } from '../../core/setting.ts'
import type { Decision } from '../../core/trace.ts'
import { type BudgetName, countedExecutions, exploredIn } from '../../core/verdict.ts'
import { type Driven, type Host, isBudget } from '../../distribute/driver.ts'
import { driveInline } from '../../distribute/inline.ts'
import type { Engine } from '../../engines/engine.ts'
import { expressionsOf, type Icet, partsOf, statementsOf } from '../../program/icet.ts'
import type { Program, Runnable } from '../../program/program.ts'
import { type Difference, Divergence } from '../../semantics/icet/divergence.ts'
import { executionOf, type Sizes } from '../../semantics/icet/execution.ts'
import { checkAllRead, explains } from '../../semantics/icet/explain.ts'
import { runIcet } from '../../semantics/icet/run-icet.ts'
import { replay } from '../../semantics/replay.ts'
import { pathsOf } from '../../semantics/world-path.ts'
import { type CheckRequest, checkRequest } from '../request.ts'
import { placeOf } from '../source-places.ts'
import { searchSizes, smallSizes } from './sizes.ts'

/**
 * Of all sizes together. A count and no duration, so that a proof is confirmed for the same sizes on every machine, unless the
 * search for it has left no time.
 */
const mostExecutions = 1_000

export interface ExecutedOptions {
  readonly host: Host
  readonly budget: CheckRequest['budget']
  readonly signal: AbortSignal | undefined
}

/**
 * Smaller sizes first, until one has more executions than are left, or the time is over. Throws a divergence, or the user's
 * mistakes.
 */
export async function confirmedByExecution(
  program: Program,
  icet: Icet,
  options: ExecutedOptions,
): Promise<Confirmation> {
  const { host, budget } = options
  let left = mostExecutions
  let partly: Confirmation['partly']
  const { ending: violated, ...searched } = await searchSizes<Params>(smallSizes(program), {
    milliseconds: budget.milliseconds ?? Number.POSITIVE_INFINITY,
    now: () => host.now(),
    stopped: (because) => (because === 'time' ? undefined : because),
    isTold: () => true,
    search: async (params, milliseconds) => {
      const bounded = { ...budget, milliseconds, executions: left }
      const found = await explored(program, icet, params as Sizes, { ...options, budget: bounded })
      left -= found.executions
      if (!found.isFinished && found.agreed > 0) partly ??= { sizes: params, executions: found.agreed }
      return found.isViolated ? { kind: 'ending', ending: params } : { kind: 'searched', ...found }
    },
  })
  if (violated !== undefined) return { ...searched, violated }
  return partly === undefined || searched.sizes.length > 0 ? searched : { ...searched, partly }
}

interface Explored {
  /** All executions were compared, and no difference was found. */
  readonly isFinished: boolean
  readonly isViolated: boolean
  readonly executions: number
  /** Also of a size that is not finished. */
  readonly agreed: number
  readonly because: BudgetName | undefined
}

async function explored(program: Program, icet: Icet, sizes: Sizes, options: ExecutedOptions): Promise<Explored> {
  const startedAt = options.host.now()
  const request = orThrow(checkRequest(program, { engine: 'dpor', params: sizes }))
  const comparison = { icet, sizes, isExplained: true }
  const compared = await driven(request, { ...options, engine: comparing(request.engine, comparison) })
  if (compared.diagnostic !== undefined) throw new DiagnosticError(withSizes(compared.diagnostic, sizes))
  const isConfirmed = compared.because === 'exhausted' && comparison.isExplained
  const executions = exploredIn(compared.counts, countedExecutions)
  const milliseconds = (options.budget.milliseconds ?? 0) - (options.host.now() - startedAt)
  if (isConfirmed && isSpelledOut(icet)) {
    const term = await driven(request, {
      ...options,
      subject: runIcet(icet, sizes),
      budget: { ...options.budget, milliseconds, executions: executions + 1 },
    })
    const inTerm = exploredIn(term.counts, countedExecutions)
    if (inTerm > executions) throw new Divergence(otherCount(icet, sizes, executions, 'more'))
    if (term.because === 'exhausted' && inTerm < executions)
      throw new Divergence(otherCount(icet, sizes, executions, inTerm))
  }
  return {
    isFinished: isConfirmed,
    isViolated: compared.found.length > 0,
    executions: isConfirmed ? executions : 0,
    agreed: comparison.isExplained && compared.found.length === 0 ? executions : 0,
    because: isBudget(compared.because) ? compared.because : undefined,
  }
}

interface Drive extends ExecutedOptions {
  readonly engine?: Engine
  readonly subject?: Runnable
}

function driven({ engine, explored: { subject }, options }: CheckRequest, drive: Drive): Promise<Driven> {
  const { budget, signal, host } = drive
  const search = { engine: drive.engine ?? engine, subject: drive.subject ?? subject, options }
  return driveInline(search, { budget, keepGoing: false, signal }, host)
}

interface Comparison {
  readonly icet: Icet
  readonly sizes: Sizes
  /** False once an execution was met for which no interpretation was found. */
  isExplained: boolean
}

/** The engine, with a look at each execution. */
function comparing(engine: Engine, comparison: Comparison): Engine {
  const { icet, sizes } = comparison
  return {
    ...engine,
    units: 'whole',
    *explore(subject, options) {
      for (const event of engine.explore(subject, options)) {
        yield event
        if (event.kind !== 'execution') continue
        const decisions = event.decisions()
        try {
          const execution = executionOf(icet, sizes, subject as Runnable, decisions)
          checkAllRead(execution)
          comparison.isExplained &&= explains(icet, execution)
        } catch (error) {
          throw error instanceof Divergence ? located(error, subject as Runnable, decisions) : error
        }
        if (!comparison.isExplained) return
      }
    },
  }
}

/** With the line of what the program did: the execution is repeated for it. */
function located({ difference }: Divergence, subject: Runnable, decisions: readonly Decision[]): Divergence {
  const { event: at, process } = difference
  if (at === undefined) return new Divergence(difference)
  const { events } = replay(pathsOf(subject), decisions, { places: true })
  return new Divergence({
    ...difference,
    ranAt: placeOf(events.filter((event) => event.process === process)[at]?.stack),
  })
}

/** Whether the term leaves nothing open, so that it has as many executions as the program. A main process that is left out may choose. */
function isSpelledOut({ processes }: Icet): boolean {
  const expressions = processes.flatMap(({ body }) => [...statementsOf(body)].flatMap(expressionsOf))
  const isOpen = expressions.some((one) => [...partsOf(one)].some(({ kind }) => kind === 'opaque'))
  return !isOpen && processes.some(({ name }) => name === 'main')
}

function otherCount({ processes }: Icet, sizes: Sizes, executions: number, inTerm: number | 'more'): Difference {
  const text = sizesText(sizes)
  const did = `has ${executions} executions${text === '' ? '' : ` with ${text}`}`
  return { process: 'main', did, would: `have ${inTerm}`, place: processes[0]?.place }
}

/** The size at which a mistake shows is half of what it is. */
export function withSizes(diagnostic: Diagnostic, sizes: Params): Diagnostic {
  const text = sizesText(sizes)
  return text === '' ? diagnostic : { ...diagnostic, message: `${diagnostic.message}, with ${text}` }
}

export function sizesText(sizes: Params): string {
  return Object.entries(sizes)
    .map(([name, value]) => `${name} = ${String(value)}`)
    .join(' and ')
}
