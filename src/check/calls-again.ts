/**
 * The audit of searches that remember states of machines: what handlers and invariants answered in a search that ended is asked again,
 * in the system that was explored and in the same one made anew, from its file if that is known. A difference is the user's mistake.
 */
import type { Diagnostic } from '../core/diagnostic.ts'
import type { Setting } from '../core/setting.ts'
import type { Host } from '../distribute/driver.ts'
import type { Machines } from '../program/machines.ts'
import type { Program, ViewName, Views } from '../program/program.ts'

const pauseMilliseconds = 50

export interface Audited {
  readonly subject: Views[ViewName]
  readonly program: Program
  readonly setting: Setting
  readonly host: Pick<Host, 'now' | 'pause'>
  readonly signal?: AbortSignal | undefined
  readonly reload?: (() => Promise<Program | undefined>) | undefined
}

type Answer = Diagnostic | 'interrupt' | undefined

/** Nothing if the answers were the same, or of what consists of no machines. */
export async function calledAgain(audited: Audited): Promise<Answer> {
  const { program, setting, reload } = audited
  const machines = machinesIn(audited.subject)
  if (machines?.repeated === undefined) return undefined
  const found = await finished(machines.repeated(machines), audited)
  if (found !== undefined) return found
  const anew = ((await reload?.()) ?? program).views.machines?.(setting)
  return anew && (await finished(machines.repeated(anew), audited))
}

function machinesIn(subject: Views[ViewName]): Machines | undefined {
  if ('handle' in subject) return subject
  return 'machines' in subject ? subject.machines : undefined
}

/** Handlers may take long. */
async function finished(
  calls: Generator<undefined, Diagnostic | undefined>,
  { host, signal }: Audited,
): Promise<Answer> {
  for (let pausedAt = host.now(); ; ) {
    const { done, value } = calls.next()
    if (done === true) return value
    if (host.now() - pausedAt < pauseMilliseconds) continue
    await host.pause()
    if (signal?.aborted === true) return 'interrupt'
    pausedAt = host.now()
  }
}
