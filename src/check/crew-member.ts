/** A thread of a crew: loads the program by itself, guards it, and explores what it is told to. */
import type { MessagePort } from 'node:worker_threads'
import { type Diagnostic, DiagnosticError } from '../core/diagnostic.ts'
import type { Driven } from '../distribute/driver.ts'
import { Member } from '../distribute/member.ts'
import type { Sweep } from '../program/program.ts'
import { coverageKnown } from '../semantics/ir/coverage.ts'
import { auditOf } from './audit.ts'
import { calledAgain } from './calls-again.ts'
import { loadCarried } from './cluster/portable-bundle.ts'
import { askedNumbers, type CrewData, type FromMember, searchText, type ToMember } from './crew-messages.ts'
import { guardDeterminism } from './guard.ts'
import { realHost } from './host.ts'
import { loadNamed } from './load-named.ts'
import { located } from './locate.ts'
import { type CheckRequest, checkRequest } from './request.ts'
import { stretchIn } from './settings-ahead.ts'
import { type Strays, watchStrays } from './strays.ts'
import { StretchExplorer } from './stretch-explorer.ts'

export async function serveCrew(data: CrewData, port: MessagePort): Promise<void> {
  const tell = (message: FromMember): void => port.postMessage(message)
  const request = await requestOf(data)
  if (request === undefined) return tell({ kind: 'unfit' })
  guardDeterminism()
  const strays = watchStrays('check')
  if (request.sweep !== undefined) return serveSweep(request, request.sweep, { port, strays })
  const { engine, options, keepGoing, explored } = request
  for (const work = explored.paths.prepare?.(); work?.next().done === false; );
  const search = { engine, subject: explored.subject, options }
  const member = new Member(search, { keepGoing, audit: auditOf(explored.paths, {}, 'beside others') }, realHost, {
    asked: () => askedOf(data),
    explored: (share) => {
      data.explored[data.member] = share
    },
    tell: (report) => {
      if (report.kind === 'ended') tell({ kind: 'seen', seen: seenBy(request) })
      tell(report.kind === 'ended' ? { ...report, driven: withPlaces(report.driven, data) } : report)
    },
  })
  const answer = async (message: ToMember): Promise<void> => {
    if (message.kind === 'explore') {
      member.begin(message.part, message.units)
      while (!member.slice()) await realHost.pause()
      return
    }
    const mistake = await mistakeIn(request, strays, message.milliseconds)
    const diagnostic = mistake && placed(mistake, data)
    tell({ kind: 'seen', seen: seenBy(request) })
    tell({ kind: 'finished', diagnostic })
  }
  // What fails here is explored again where it can be reported.
  port.on('message', (message: ToMember) => answer(message).catch(() => tell({ kind: 'unfit' })))
  tell({ kind: 'ready' })
}

interface Serving {
  readonly port: MessagePort
  readonly strays: Strays
}

/** Settings of a sweep, from stretch to stretch. */
function serveSweep(request: CheckRequest, sweep: Sweep, { port, strays }: Serving): void {
  const tell = (message: FromMember): void => port.postMessage(message)
  const explorer = new StretchExplorer(request, sweep)
  const answer = async (message: ToMember): Promise<void> => {
    if (message.kind === 'explore') {
      const { driven, isFit } = await explorer.explore(stretchIn(message.units))
      tell({ kind: 'seen', seen: seenBy(request) })
      tell({ kind: 'ended', part: message.part, driven })
      if (!isFit) tell({ kind: 'unfit' })
      return
    }
    const wrong = await strays.settled()
    tell({ kind: 'seen', seen: seenBy(request) })
    tell({ kind: 'finished', diagnostic: wrong && placed(wrong, {}) })
  }
  port.on('message', (message: ToMember) => answer(message).catch(() => tell({ kind: 'unfit' })))
  tell({ kind: 'ready' })
}

/** What we were asked, unless the file has changed since, or it cannot be loaded here. */
async function requestOf(data: CrewData): Promise<CheckRequest | undefined> {
  const { path, program, exportName, legacy, options, digest, search, carried } = data
  const loaded =
    carried === undefined
      ? await loadNamed(path, program, { clients: options.clients, options: { legacy } })
      : await loadCarried(carried.bundle, path, carried.shown, exportName)
  if (!loaded.ok || loaded.value.loaded.digest !== digest || loaded.value.exportName !== exportName) return undefined
  const request = checkRequest(loaded.value.program, options)
  return request.ok && searchText(request.value, digest) === search ? request.value : undefined
}

function askedOf({ asked, member }: CrewData) {
  switch (Atomics.load(asked, member)) {
    case askedNumbers.share:
      // Unless something else is asked meanwhile, it is asked once.
      Atomics.compareExchange(asked, member, askedNumbers.share, 0)
      return 'share'
    case askedNumbers.surrender:
      return 'surrender'
    case askedNumbers.drop:
      return 'drop'
    default:
      return undefined
  }
}

/** Frames of a stack have names that mean something else in another thread. */
function withPlaces(driven: Driven, data: Carried): Driven {
  const found = driven.found.map((one) => ({ ...one, violation: { ...one.violation, stack: undefined } }))
  return { ...driven, found, diagnostic: driven.diagnostic && placed(driven.diagnostic, data) }
}

type Carried = Pick<CrewData, 'carried'>

/** On another machine files have other paths: there places are looked for again where the search was submitted. */
function placed(diagnostic: Diagnostic, { carried }: Carried): Diagnostic {
  if (carried === undefined) return { ...located(diagnostic), stack: undefined }
  return { ...diagnostic, place: undefined, frame: undefined, stack: undefined }
}

function seenBy({ witness }: CheckRequest) {
  return { witness: witness.known(), coverage: coverageKnown(witness) }
}

/** What a search that ended asks once more, of the states that were met here. */
async function mistakeIn(request: CheckRequest, strays: Strays, milliseconds: number | undefined) {
  const { program, setting, explored } = request
  const limits = { host: realHost, startedAt: realHost.now(), budget: { milliseconds } }
  try {
    const again = await calledAgain({ subject: explored.subject, program, setting, limits })
    const found = again !== undefined && 'code' in again ? again : undefined
    const wrong = found ?? (await strays.settled())
    return wrong
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    return error.diagnostic
  }
}
