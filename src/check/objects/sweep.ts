/**
 * What a check of a class explores, as one setting: all clients within bounds, or those given, and how they are judged. Clients
 * come in the same order every time, so how many of them are done says where a later run goes on; a client that was not
 * finished is explored from its beginning.
 */
import { type Setting, settingFrom } from '../../core/setting.ts'
import type { Criterion, Scope } from '../../core/verdict.ts'
import type { ObjectCheck } from '../../program/object-check.ts'
import type { Granularity } from '../../semantics/memory/subject.ts'
import type { Checkpoint } from '../checkpoint.ts'
import { classNetwork } from './class-program.ts'
import type { ObjectCheckOptions } from './options.ts'

interface Sweep {
  readonly check: ObjectCheck
  readonly options: ObjectCheckOptions
  readonly scope: Scope
  /** As typed. */
  readonly specification: string | undefined
}

export function sweepSetting({ check, options, scope, specification }: Sweep): Setting {
  const { deadlock, criterion = 'linearizable', granularity = 'access' } = scope
  const { processes, calls } = scope.params
  const named = specification === undefined ? {} : { specification }
  return settingFrom({
    params: processes === undefined ? { clients: options.clients ?? check.clients } : {},
    network: classNetwork,
    bounds: processes === undefined ? {} : { processes: Number(processes), calls: Number(calls) },
    options: { deadlock, criterion, granularity, ...named },
  })
}

/** One client of a sweep, as traces say it. */
export function clientSetting(sweep: Sweep, client: string): Setting {
  return { ...sweepSetting(sweep), params: { client } }
}

/** Everything but budgets that a resumed sweep is told; whether the values are known is checked where all options are. */
export function sweepOptions({ setting, engine, options, keepGoing, causes }: Checkpoint): ObjectCheckOptions {
  const { deadlock, criterion, granularity } = setting.options
  return {
    engine,
    options,
    seed: Number(options.seed ?? 0),
    clients: setting.params.clients as readonly string[] | undefined,
    ...setting.bounds,
    deadlock: deadlock as ObjectCheckOptions['deadlock'],
    criterion: criterion as Criterion,
    granularity: granularity as Granularity,
    keepGoing,
    causes,
  }
}
