/** The flags of `run`, checked before anything is opened: every mistake is reported, not the first. */

import { isAbsolute, relative, resolve } from 'node:path'
import process from 'node:process'
import { parseWait } from '../check/budget.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { suggestion } from '../core/did-you-mean.ts'
import { quotedFor, type Shell } from '../reports/shell.ts'
import { addressText, type HostAddress, isLoopback, parseAddress, resolveAddress } from '../runtime/address.ts'
import type { FaultOptions } from '../runtime/faults.ts'
import { type TransportName, transportNames } from '../runtime/transport.ts'
import { oneOf, wholeNumber } from './flag-values.ts'
import { keyIn, type SharedKey } from './key-file.ts'
import type { TypedRunFlags } from './run-arguments.ts'

export interface RunFlags {
  readonly transport: TransportName
  readonly faults: FaultOptions
  readonly seed: number
  readonly key: SharedKey
  readonly control: HostAddress | undefined
  readonly requests: { readonly mostMilliseconds: number } | undefined
  readonly stateFolder: string | undefined
  readonly log: string | undefined
  /** Milliseconds; for ever without. */
  readonly time: number | undefined
  /** Undefined: all machines run here. */
  readonly one: { readonly machine: string; readonly listen: HostAddress | undefined } | undefined
  readonly peers: ReadonlyMap<string, HostAddress>
}

export async function runFlags(flags: TypedRunFlags, cwd: string): Promise<Result<RunFlags>> {
  const problems: Diagnostic[] = []
  const collect = <T>(result: Result<T>): T | undefined => {
    if (result.ok) return result.value
    problems.push(...result.diagnostics)
    return undefined
  }
  collect(whoRuns(flags))
  const transport = collect(oneOf('--transport', flags.transport, transportNames)) ?? 'udp'
  const faults = collect(faultsOf(flags, transport))
  const seed = collect(wholeNumber('--seed', flags.seed, Number.MIN_SAFE_INTEGER)) ?? 0
  const control = collect(await addressIn('--control', flags.control, 'listen'))
  const listen = collect(await addressIn('--listen', flags.listen, 'listen'))
  const peers = collect(await peersOf(flags.peers ?? [])) ?? new Map<string, HostAddress>()
  const pause = collect(durationIn('--pause', flags.pause)) ?? 0
  const time = collect(durationIn('--time', flags.time))
  // Last, because it may make a file: a command that is refused leaves none.
  const key = problems.length > 0 && flags.keyFile === undefined ? undefined : collect(keyIn(flags.keyFile, cwd))
  if (problems.length > 0 || key === undefined) return failure(...problems)
  return success({
    transport,
    faults: faults ?? {},
    seed,
    key,
    control,
    requests: flags.requests === false ? undefined : { mostMilliseconds: Math.round(pause) },
    stateFolder: flags.stateDir === undefined ? undefined : shownPath(cwd, flags.stateDir),
    log: flags.log === undefined ? undefined : shownPath(cwd, flags.log),
    time,
    one: flags.as === undefined ? undefined : { machine: flags.as, listen: listen ?? peers.get(flags.as) },
    peers,
  })
}

/** As short as diagnostics should show it. */
function shownPath(cwd: string, path: string): string {
  const fromHere = relative(process.cwd(), resolve(cwd, path)) || '.'
  return isAbsolute(path) && fromHere.startsWith('..') ? path : fromHere
}

/** Which addresses a machine needs, and has not been given. */
export function checkPeers({ one, peers }: RunFlags, machines: readonly string[], shell: Shell): readonly Diagnostic[] {
  if (one === undefined) return []
  const problems: Diagnostic[] = []
  if (!machines.includes(one.machine)) {
    const hint = suggestion(one.machine, machines, 'machines')
    return [{ code: 'E606', message: `--as "${one.machine}": the system has no such machine`, hint }]
  }
  for (const name of peers.keys()) {
    if (machines.includes(name)) continue
    const hint = suggestion(name, machines, 'machines')
    problems.push({ code: 'E606', message: `--peers names "${name}", which is not a machine of the system`, hint })
  }
  const taken = [...peers].find(([name, address]) => name !== one.machine && isSameAddress(address, one.listen))
  if (taken !== undefined)
    problems.push({
      code: 'E107',
      message: `--listen ${addressText(one.listen ?? taken[1])} is where "${taken[0]}" can be reached, as --peers says`,
      hint: `give "${one.machine}" an address of its own`,
    })
  const missing = machines.filter((name) => name !== one.machine && !peers.has(name))
  if (missing.length > 0) {
    const shown = missing.map((name) => `"${name}"`).join(', ')
    const hint = `add ${missing.map((name) => quotedFor(shell, `${name}=host:port`) ?? `"${name}"`).join(', ')}`
    problems.push({ code: 'E606', message: `--peers does not say where ${shown} can be reached`, hint })
  }
  return problems
}

/** Whoever listens on all interfaces takes the port on each of this computer. */
function isSameAddress(peer: HostAddress, listen: HostAddress | undefined): boolean {
  if (listen === undefined || listen.port === 0 || peer.port !== listen.port) return false
  const isEverywhere = listen.host === '0.0.0.0' || listen.host === '::'
  return peer.host === listen.host || (isEverywhere && isLoopback(peer.host))
}

function whoRuns({ as, all, listen, peers }: TypedRunFlags): Result<unknown> {
  if (as === undefined && all !== true) {
    const hint = "--as 'node 0' runs one of them, --all runs all of them here"
    return failure({ code: 'E107', message: 'run needs to know which machine to run', hint })
  }
  if (all !== true) return success(undefined)
  const others = [as === undefined ? [] : '--as', listen === undefined ? [] : '--listen', peers ? '--peers' : []].flat()
  if (others.length === 0) return success(undefined)
  return failure({
    code: 'E107',
    message: `--all runs every machine here and cannot be combined with ${others.join(', ')}`,
    hint: 'leave one of them out: --all is for one computer, --as with --listen and --peers for several',
  })
}

function faultsOf(flags: TypedRunFlags, transport: TransportName): Result<FaultOptions> {
  const loss = probability('--loss', flags.loss)
  const duplication = probability('--duplication', flags.duplication)
  const reordering = probability('--reordering', flags.reordering)
  const delay = durationIn('--delay', flags.delay)
  const problems = [loss, duplication, reordering, delay].flatMap((one) => (one.ok ? [] : one.diagnostics))
  if (flags.reordering !== undefined && transport === 'tcp')
    problems.push({
      code: 'E107',
      message: '--reordering needs --transport udp: messages over tcp keep their order',
      hint: 'leave --reordering out, or add --transport udp',
    })
  if (!loss.ok || !duplication.ok || !reordering.ok || !delay.ok || problems.length > 0) return failure(...problems)
  return success({
    loss: loss.value,
    duplication: duplication.value,
    reordering: reordering.value,
    delay: delay.value === undefined ? undefined : { least: 0, most: Math.round(delay.value) },
  })
}

function probability(option: string, text: string | undefined): Result<number | undefined> {
  if (text === undefined) return success(undefined)
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= 0 && value <= 1) return success(value)
  const hint = /^\d+(\.\d+)?%$/.test(text) ? `write ${Number.parseFloat(text) / 100}` : 'write 0.1 for one in ten'
  return failure({ code: 'E107', message: `${option} is "${text}", which is not a probability between 0 and 1`, hint })
}

export function durationIn(option: string, text: string | undefined): Result<number | undefined> {
  return text === undefined ? success(undefined) : parseWait(text, option)
}

export async function addressIn(
  option: string,
  text: string | undefined,
  use: 'listen' | 'reach' = 'reach',
): Promise<Result<HostAddress | undefined>> {
  if (text === undefined) return success(undefined)
  const parsed = parseAddress(text, option, use)
  return parsed.ok ? await resolveAddress(parsed.value, option) : parsed
}

async function peersOf(typed: readonly string[]): Promise<Result<ReadonlyMap<string, HostAddress>>> {
  const peers = new Map<string, HostAddress>()
  const problems: Diagnostic[] = []
  for (const text of typed) {
    const at = text.lastIndexOf('=')
    const [name, written] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1)]
    if (name === '') {
      const hint = "write 'node 0=127.0.0.1:7000,node 1=127.0.0.1:7001'"
      problems.push({ code: 'E107', message: `--peers has "${text}", which is not a machine with its address`, hint })
      continue
    }
    const address = await addressIn(`--peers ${name}`, written)
    if (!address.ok) problems.push(...address.diagnostics)
    else if (peers.has(name))
      problems.push({ code: 'E107', message: `--peers names "${name}" twice`, hint: 'give each machine one address' })
    else if (address.value?.port === 0)
      problems.push({
        code: 'E601',
        message: `--peers ${name} has port 0, on which no machine can be reached`,
        hint: 'say the port that the machine listens on; run it with --listen to choose one',
      })
    else if (address.value !== undefined) {
      const text = addressText(address.value)
      const other = [...peers].find(([, one]) => addressText(one) === text)?.[0]
      if (other !== undefined)
        problems.push({
          code: 'E107',
          message: `--peers has "${other}" and "${name}" at one address, ${text}`,
          hint: 'give each machine an address of its own',
        })
      peers.set(name, address.value)
    }
  }
  return problems.length > 0 ? failure(...problems) : success(peers)
}
