/** Whether a client that fails where what it awaits may take time also fails when every promise is resolved at once. */
import { DiagnosticError, type Place } from '../../core/diagnostic.ts'
import type { ClientExecution, CodeStep, Counterexample, JobOrderAnswer } from '../../core/evidence.ts'
import { grouped } from '../../core/grouped.ts'
import type { Setting } from '../../core/setting.ts'
import type { Unhurried } from '../../core/unhurried.ts'
import type { Paths } from '../../program/path.ts'
import type { Program } from '../../program/program.ts'
import { keyOf } from './alike.ts'

interface Asked {
  readonly program: Program
  readonly setting: Setting
  /** By what tells them apart: only one of each sort is told. */
  readonly told: ReadonlyMap<string, Counterexample>
}

/** With what is said of a counterexample of a class that was explored otherwise. */
export function* askedInJobOrder(found: Counterexample, { program, setting, told }: Asked): Unhurried<Counterexample> {
  if (found.client === undefined || told.has(keyOf(found))) return found
  const asked = program.askInJobOrder?.(setting, found.client)
  return asked === undefined ? found : { ...found, jobOrder: yield* asked }
}

/** More than these have many timers. */
const mostExecutions = 1_000

export function* jobOrderAnswer(paths: Paths, client: ClientExecution): Unhurried<JobOrderAnswer> {
  try {
    yield* paths.prepare?.() ?? []
    const found = yield* failing(paths)
    if (found === 'unknown')
      return { fails: 'unknown', because: `its timers fire in more than ${grouped(mostExecutions)} orders` }
    return found ? { fails: true } : { fails: false, awaits: interruptedAwaits(client) }
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    return { fails: 'unknown', because: error.diagnostic.message }
  }
}

function* failing(paths: Paths): Unhurried<boolean | 'unknown'> {
  const path = paths.begin()
  let left = mostExecutions
  const visit = function* (): Unhurried<boolean | 'unknown'> {
    const choices = path.enabled()
    if (choices.length === 0) {
      yield
      return left-- === 0 ? 'unknown' : path.violations().length > 0
    }
    for (const choice of choices) {
      path.take(choice)
      const found = yield* visit()
      if (found !== false) return found
      path.back()
    }
    return false
  }
  return yield* visit()
}

/** The awaits at which an execution lets another process of the client in, each line once. */
function interruptedAwaits({ steps }: ClientExecution): readonly Place[] {
  const found = new Map<string, Place>()
  for (const [at, { kind, text, site }] of steps.entries()) {
    if (kind !== 'access' || site === undefined || isTimer.test(text) || !isLetIn(steps, at)) continue
    const { file } = site.function
    const key = `${file}:${site.line}`
    if (!found.has(key)) found.set(key, { file, line: site.line, column: site.column })
  }
  return [...found.values()]
}

/** Time passes for timers in every order. */
const isTimer = /^(?:a timer|an immediate)/

/** Whether another process did something since this one was last heard of; what it began and did not await belongs to it. */
function isLetIn(steps: readonly CodeStep[], at: number): boolean {
  const { process } = steps[at] as CodeStep
  const own = (name: string): string => name.replace(/[.:].*/, '')
  const isSame = steps.slice(0, at).some((one) => one.process === process)
  const last = steps
    .slice(0, at)
    .findLastIndex((one) => (isSame ? one.process === process : own(one.process) === own(process)))
  return steps.slice(last + 1, at).some((one) => own(one.process) !== own(process))
}
