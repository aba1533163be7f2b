/** The flags of `online`, checked before anybody is asked: every mistake is reported, not the first. */
import { resolve } from 'node:path'
import { type RaceEngine, raceEngines } from '../check/online/race.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { HostAddress } from '../runtime/address.ts'
import { oneOf, wholeNumber } from './flag-values.ts'
import { keyIn, type SharedKey } from './key-file.ts'
import type { TypedOnlineFlags } from './online-arguments.ts'
import { addressIn, durationIn } from './run-flags.ts'

export interface OnlineFlags {
  readonly source: AskedSource
  readonly engine: RaceEngine | undefined
  readonly roundMilliseconds: number
  readonly everyMilliseconds: number
  readonly rounds: number | undefined
  readonly time: number | undefined
  readonly snapshotFolder: string
}

/** A snapshot in a file, or a running system with the key that its machines have. */
type AskedSource =
  | { readonly from: string }
  | { readonly from: undefined; readonly attach: readonly HostAddress[]; readonly key: SharedKey }

const defaultRound = 5_000
const defaultFolder = '.allways/snapshots'

export async function onlineFlags(flags: TypedOnlineFlags, cwd: string): Promise<Result<OnlineFlags>> {
  const problems: Diagnostic[] = []
  const collect = <T>(result: Result<T>): T | undefined => {
    if (result.ok) return result.value
    problems.push(...result.diagnostics)
    return undefined
  }
  collect(whatToCheck(flags))
  const attach: HostAddress[] = []
  for (const text of flags.attach ?? []) {
    const address = collect(await addressIn('--attach', text))
    if (address?.port === 0)
      problems.push({
        code: 'E601',
        message: `--attach ${text} has port 0, on which no machine can be reached`,
        hint: 'run --control prints the port that was chosen',
      })
    else if (address !== undefined) attach.push(address)
  }
  const engine = collect(oneOf('--engine', flags.engine, raceEngines))
  const round = collect(durationIn('--round', flags.round)) ?? defaultRound
  const every = collect(durationIn('--every', flags.every))
  const rounds = collect(wholeNumber('--rounds', flags.rounds, 1))
  const time = collect(durationIn('--time', flags.time))
  // Last, because it may make a file: a command that is refused leaves none.
  const isKeyNeeded = flags.keyFile !== undefined || (flags.from === undefined && problems.length === 0)
  const key = isKeyNeeded ? collect(keyIn(flags.keyFile, cwd)) : undefined
  const source = flags.from !== undefined ? { from: flags.from } : key && { from: undefined, attach, key }
  if (problems.length > 0 || source === undefined) return failure(...problems)
  return success({
    source,
    engine,
    roundMilliseconds: round,
    everyMilliseconds: every ?? round,
    rounds,
    time,
    snapshotFolder: resolve(cwd, flags.snapshotDir ?? defaultFolder),
  })
}

function whatToCheck({ attach, from, rounds, every }: TypedOnlineFlags): Result<unknown> {
  const hint = '--attach 127.0.0.1:7101 is where a machine was started with --control; --from reads a file'
  const isAttached = attach !== undefined && attach.length > 0
  if (!isAttached && from === undefined)
    return failure({ code: 'E107', message: 'online needs a running system, or a snapshot of one', hint })
  if (from === undefined) return success(undefined)
  const others = [isAttached ? ['--attach'] : [], rounds ? ['--rounds'] : [], every ? ['--every'] : []].flat()
  if (others.length === 0) return success(undefined)
  return failure({
    code: 'E107',
    message: `--from is one round from one snapshot; it excludes ${others.join(', ')}`,
    hint: 'leave them out; --round says how long it searches',
  })
}
