/**
 * What a program did in one execution, told in the processes of its term: whose operations they were, what was sent to whom, which
 * message was received, and how each process ended.
 */
import type { Event } from '../../core/event.ts'
import { invariant } from '../../core/invariant.ts'
import { type Operation, type SpawnDetail, senderNamedBy, type Where } from '../../core/operation.ts'
import type { ProcessStatus } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import { Address, type Value } from '../../core/value.ts'
import type { Icet, IcetProcess } from '../../program/icet.ts'
import type { Runnable } from '../../program/program.ts'
import type { ProcessHistory } from '../process-in-world.ts'
import { World } from '../world.ts'
import { Divergence } from './divergence.ts'
import { sizeOf } from './process-body.ts'

export interface Message {
  readonly from: Address<never>
  readonly value: Value
}

/** What a receive of the program takes. */
export interface Asked {
  readonly where: Where
  readonly from: Address<never> | undefined
}

export type Did = {
  /** Which of the events of the process it is. */
  readonly event: number
} & (
  | { readonly kind: 'send'; readonly to: Address<never>; readonly value: Value }
  /** `passed` are earlier messages of the same sender that were there and not taken. */
  | ({ readonly kind: 'receive'; readonly asked: Asked; readonly passed: readonly Message[] } & Message)
  | { readonly kind: 'choose'; readonly option: number; readonly options: readonly Value[] }
  /** What no term has. */
  | { readonly kind: 'other'; readonly what: string }
)

export interface Followed {
  readonly id: string
  /** Nothing for a main process that the term does not have. */
  readonly process: IcetProcess | undefined
  readonly did: readonly Did[]
  readonly ended: ProcessStatus
  /** What it waits for, if it does. */
  readonly awaits: Asked | undefined
  readonly unread: readonly Message[]
}

export interface TermExecution {
  readonly sizes: Sizes
  readonly processes: readonly Followed[]
  /** Members of a set, in order; of a process that is no set, itself. */
  readonly members: ReadonlyMap<string, readonly Address<never>[]>
}

export type Sizes = { readonly [parameter: string]: number }

/** Throws where the program has other processes than the term. */
export function executionOf(
  icet: Icet,
  sizes: Sizes,
  subject: Runnable,
  decisions: readonly Decision[],
): TermExecution {
  const world = new World(subject)
  for (const decision of decisions) world.take(decision)
  const histories = new Map(world.histories().map((history) => [history.start.id, history]))
  const members = membersIn(icet, sizes, histories)
  const names = new Map([...members].flatMap(([name, all]) => all.map(({ id }) => [id, name] as const)))
  const { unread } = world.underWay()
  const status = new Map(world.ending().processes.map((process) => [process.id, process.status]))
  const processes = [...histories.values()].map(({ start: { id }, performed, pending }): Followed => {
    const ended = status.get(id)
    invariant(ended !== undefined, 'every process has an ending')
    return {
      id,
      process: icet.processes.find(({ name }) => name === names.get(id)),
      did: didOf(
        id,
        performed.map(({ operation }) => operation),
        world.events,
      ),
      ended,
      awaits: pending?.kind === 'receive' ? askedBy(pending) : undefined,
      unread: unread.filter(({ to }) => to === id).map(({ from, value }) => ({ from: Address.of(from), value })),
    }
  })
  return { sizes, processes, members }
}

function didOf(id: string, operations: readonly Operation[], events: readonly Event[]): readonly Did[] {
  const own = events.filter(({ process }) => process === id)
  const sent = new Map<string, Extract<Event, { kind: 'send' }>[]>()
  for (const event of events) {
    if (event.kind === 'send' && event.to === id) sent.set(event.process, [...(sent.get(event.process) ?? []), event])
  }
  return operations.flatMap((operation, at): readonly Did[] => {
    const event = own[at]
    switch (event?.kind) {
      case 'spawn':
        return []
      case 'send':
        return [{ event: at, kind: 'send', to: Address.of(event.to), value: event.value }]
      case 'receive': {
        const channel = sent.get(event.from) ?? []
        const passed = channel.slice(
          0,
          channel.findIndex(({ message }) => message === event.message),
        )
        sent.set(
          event.from,
          channel.filter(({ message }) => message !== event.message),
        )
        const from = Address.of(event.from)
        return [
          {
            event: at,
            kind: 'receive',
            asked: askedBy(operation),
            from,
            value: event.value,
            passed: passed.map(({ value }) => ({ from, value })),
          },
        ]
      }
      case 'choose':
        return [{ event: at, kind: 'choose', option: event.option, options: operation.payload as readonly Value[] }]
      default:
        return [{ event: at, kind: 'other', what: operation.kind }]
    }
  })
}

function askedBy(receive: Operation): Asked {
  return { where: receive.where, from: senderNamedBy(receive) }
}

/** A spawn, or all that one `spawnAll` starts. */
interface Group {
  readonly name: string
  readonly isSet: boolean
  readonly daemon: boolean
  readonly members: Address<never>[]
}

function membersIn(
  icet: Icet,
  sizes: Sizes,
  histories: ReadonlyMap<string, ProcessHistory>,
): ReadonlyMap<string, readonly Address<never>[]> {
  const members = new Map<string, readonly Address<never>[]>()
  // A set of nobody is not seen in an execution.
  const awaited = icet.processes.filter(({ name, count }) => {
    if (count === undefined || sizeOf(count, sizes) > 0) return true
    members.set(name, [])
    return false
  })
  const groups = [mainGroup, ...groupsOf('main', histories)]
  while (groups.length > 0) {
    const first = groups.shift() as Group
    const at = awaited.findIndex((process) => isCalled(process, first.name, 0))
    const process = at < 0 ? undefined : awaited.splice(at, 1)[0]
    const {
      name,
      isSet,
      daemon,
      members: all,
    } = process?.spawnedAs === undefined ? first : together(first, process, groups)
    if (process === undefined && name === 'main') continue
    const size = process?.count === undefined ? 1 : sizeOf(process.count, sizes)
    const isSame = process !== undefined && isSet === (process.count !== undefined) && size === all.length
    if (!isSame || daemon !== process.daemon) {
      const found = `${all.length === 1 && !isSet ? '' : `${all.length} of `}"${name}"${daemon ? ' as a daemon' : ''}`
      throw new Divergence({
        process: 'main',
        did: `starts ${found}`,
        would: process === undefined ? 'not know it' : `have ${size}${process.daemon ? ' as a daemon' : ''}`,
        place: process?.place,
      })
    }
    members.set(process.name, all)
  }
  const [missing] = awaited
  if (missing !== undefined)
    throw new Divergence({
      process: 'main',
      did: `does not start "${missing.name}"`,
      would: 'have it',
      place: missing.place,
    })
  return members
}

/** Whether a process of that name may be the first, or a later one, that this one of the term stands for. */
function isCalled({ name, spawnedAs }: IcetProcess, called: string, index: number): boolean {
  if (typeof spawnedAs === 'object') return called === `${spawnedAs[0]}${index}${spawnedAs[1]}`
  return called === name.replace(/#\d+$/, '')
}

/** Those that were spawned one by one, one after the other. */
function together(first: Group, process: IcetProcess, later: Group[]): Group {
  const members = [...first.members]
  for (let next = later[0]; next !== undefined && isCalled(process, next.name, members.length); next = later[0]) {
    if (next.isSet || next.daemon !== first.daemon) break
    members.push(...next.members)
    later.shift()
  }
  return { ...first, isSet: !first.isSet, members }
}

const mainGroup: Group = { name: 'main', isSet: false, daemon: false, members: [Address.of('main')] }

/** In the order in which a term has them: what a process starts comes right after it. */
function groupsOf(id: string, histories: ReadonlyMap<string, ProcessHistory>): readonly Group[] {
  const groups: Group[] = []
  let last: Group | undefined
  for (const { operation, answer } of histories.get(id)?.performed ?? []) {
    if (operation.kind !== 'spawn') continue
    const { name, replica, daemon } = operation.detail as SpawnDetail
    const address = answer as Address<never>
    const isMember = replica !== undefined && last?.name === replica && name === `${replica} ${last.members.length}`
    if (isMember) last?.members.push(address)
    else {
      const isSet = replica !== undefined && name === `${replica} 0`
      last = { name: isSet ? replica : name, isSet, daemon, members: [address] }
      groups.push(last)
    }
    groups.push(...groupsOf(address.id, histories))
  }
  return groups
}
