/** Worlds to step through in tests: a program under a network, and decisions in short. */

import type { Event } from '../../../src/core/event.ts'
import type { NetworkName } from '../../../src/core/operation.ts'
import { settingFrom } from '../../../src/core/setting.ts'
import type { Decision } from '../../../src/core/trace.ts'
import { type PropertyDeclaration, program } from '../../../src/model/program.ts'
import type { Paths } from '../../../src/program/path.ts'
import type { Runnable } from '../../../src/program/program.ts'
import { deadlockFreedom } from '../../../src/properties/deadlock.ts'
import { World } from '../../../src/semantics/world.ts'
import { pathsOf } from '../../../src/semantics/world-path.ts'

type Main = () => Generator<unknown, unknown, unknown>

export function runnable(
  main: Main,
  network: NetworkName = 'fifo',
  properties: readonly PropertyDeclaration[] = [],
): Runnable {
  const view = program('test', { properties }, main).views.runnable?.(settingFrom({ params: {}, network }))
  if (view === undefined) throw new Error('process programs are runnable')
  return { ...view, properties: [...view.properties, deadlockFreedom] }
}

export function paths(...given: Parameters<typeof runnable>): Paths {
  return pathsOf(runnable(...given))
}

export function worldOf(
  main: Main,
  network: NetworkName = 'fifo',
  properties: readonly PropertyDeclaration[] = [],
): World {
  return new World(runnable(main, network, properties))
}

/** Lets processes step (send, spawn, join) in the order given. */
export function steps(world: World, ...processes: readonly string[]): void {
  for (const process of processes) world.take({ kind: 'step', process })
}

/** Always the first enabled decision, until nothing is enabled. */
export function runOut(world: World): Decision[] {
  const path: Decision[] = []
  for (let [first] = world.enabled(); first !== undefined; [first] = world.enabled()) {
    path.push(first)
    world.take(first)
  }
  return path
}

export function enabledTexts(world: World): string[] {
  return world.enabled().map(decisionText)
}

/** Decisions in the tests' own words, numbered as they are stored: what users read may change. */
export function decisionText(decision: Decision): string {
  switch (decision.kind) {
    case 'step':
      return `${decision.process} steps`
    case 'deliver':
      return `${decision.process} receives #${decision.message}`
    case 'timeout':
      return `${decision.process} receives nothing`
    case 'choose':
      return `${decision.process} chooses option ${decision.option}`
    default:
      return `${decision.process}: ${decision.kind}`
  }
}

/** Messages a process may be given now, by number. */
export function deliverableTo(world: World, process: string): number[] {
  return world.enabled().flatMap((each) => (each.kind === 'deliver' && each.process === process ? [each.message] : []))
}

/** Events in short: 'a sends #0 to b'. */
export function eventTexts(events: readonly Event[]): string[] {
  return events.map(eventText)
}

function eventText(event: Event): string {
  switch (event.kind) {
    case 'spawn':
      return `${event.process} spawns ${event.child}`
    case 'join':
      return `${event.process} joins ${event.target}`
    case 'send':
      return `${event.process} ${event.notification ? 'notifies' : 'sends'} #${event.message} to ${event.to}`
    case 'receive':
      return `${event.process} receives #${event.message}`
    case 'choose':
      return `${event.process} chooses ${event.option}`
    case 'timeout':
      return `${event.process} times out`
    case 'crash':
      return `${event.process} ${event.restarts ? 'restarts' : 'crashes'}`
    case 'partition':
    case 'heal':
      return `${event.process}: ${event.kind}`
    case 'stop':
      return `${event.process} stops`
    case 'fail':
      return `${event.process} fails: ${event.violation.message}`
    case 'call':
    case 'access':
    case 'return':
      return `${event.process} ${event.kind}: ${event.text}`
    case 'enter':
    case 'announce':
    case 'observe':
    case 'print':
      return `${event.process}: ${event.kind}`
  }
}
