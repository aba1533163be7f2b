/** A generated program as a program of ours: each process interprets its instructions through the public operations. */

import { type NetworkName, type Notification, networkNames, type Operation } from '../../src/core/operation.ts'
import { settingFrom } from '../../src/core/setting.ts'
import { Address } from '../../src/core/value.ts'
import { final } from '../../src/model/final.ts'
import { announce, assert, assume, choose, join, poll, receive, self, send, spawn } from '../../src/model/process.ts'
import { monitor, type PropertyDeclaration, program } from '../../src/model/program.ts'
import type { Program, Runnable } from '../../src/program/program.ts'
import { deadlockFreedom } from '../../src/properties/deadlock.ts'
import {
  accepts,
  type Filter,
  type GeneratedMessage,
  holds,
  type Instruction,
  type ProgramText,
  refusal,
  type Tag,
  type Target,
  throwsOn,
} from './text.ts'

export function interpret(text: ProgramText): Program {
  const properties: PropertyDeclaration[] = []
  if (text.monitor !== undefined) properties.push(watcher(text.monitor))
  if (text.unwantedSum !== undefined) properties.push(sumIsNot(text.unwantedSum))
  return program(text.name, { properties, ...(text.faults && { faults: text.faults }) }, () => perform(text.main))
}

/** The program as engines see it: one network, deadlock freedom among the end checks. */
export function runnableOf(text: ProgramText, network: NetworkName): Runnable {
  return asRunnable(interpret(text), network)
}

export function asRunnable(subject: Program, network: NetworkName): Runnable {
  const view = subject.views.runnable
  if (view === undefined || !networkNames.includes(network))
    throw new Error('generated programs are runnable under known networks')
  const runnable = view(settingFrom({ params: subject.params, network, faults: subject.faults ?? {} }))
  return { ...runnable, properties: [...runnable.properties, deadlockFreedom] }
}

interface Memory {
  last: number | undefined
  sender: Address<GeneratedMessage> | undefined
}

function* perform(body: readonly Instruction[]): Generator<Operation, unknown, unknown> {
  const memory: Memory = { last: undefined, sender: undefined }
  const me = yield* self()
  for (const instruction of body) yield* performOne(instruction, memory, me)
  return memory.last
}

function* performOne(instruction: Instruction, memory: Memory, me: Address): Generator<Operation, void, unknown> {
  switch (instruction.kind) {
    case 'send': {
      const to = instruction.to === 'sender' ? memory.sender : Address.of<GeneratedMessage>(instruction.to.id)
      if (to === undefined || !holds(instruction.when, memory.last)) return
      const value = instruction.value === 'last' ? (memory.last ?? 0) : instruction.value
      const options = instruction.network === undefined ? {} : { network: instruction.network }
      return yield* send(to, messageOf(instruction.tag, value, instruction.anonymous ? undefined : me.id), options)
    }
    case 'receive':
      return remember(memory, yield* receiving(instruction, memory))
    case 'poll':
      return remember(memory, yield* polling(instruction, memory))
    case 'choose':
      memory.last = yield* choose(Array.from({ length: instruction.options }, (_, option) => option))
      return
    case 'assume':
      return yield* assume(holds(instruction.that, memory.last))
    case 'assert':
      return yield* assert(holds(instruction.that, memory.last), `last is ${memory.last}`)
    case 'announce':
      return yield* announce({ kind: instruction.tag, value: memory.last ?? 0 })
    case 'spawn':
      yield* spawn(instruction.name, spawnOptions(instruction), perform, instruction.body)
      return
    case 'join':
      return yield* join(Address.of(instruction.target))
  }
}

function spawnOptions({ daemon, crashes }: Extract<Instruction, { kind: 'spawn' }>) {
  return crashes === undefined ? { daemon } : { daemon, crashes }
}

/** One object per message: freezing a new one at every send would take half of the time of an enumeration. */
const messages = new Map<string, GeneratedMessage>()

function messageOf(kind: Tag, value: number, from: string | undefined): GeneratedMessage {
  const key = `${kind}${value}${from}`
  const known = messages.get(key)
  if (known !== undefined) return known
  const message: GeneratedMessage = { kind, value, from }
  messages.set(key, message)
  return message
}

/** Tags go by the operation's own filter by kind. */
function receiving({ filter, from }: Reading, memory: Memory) {
  const options = senderOptions(from, memory)
  if (filter.kind === 'any') return receive<GeneratedMessage>(options)
  if (filter.kind === 'tag') return receive<GeneratedMessage>(filter.tag, options)
  return receive<GeneratedMessage>(predicate(filter, memory), options)
}

function polling({ filter, from }: Reading, memory: Memory) {
  const options = senderOptions(from, memory)
  if (filter.kind === 'any') return poll<GeneratedMessage>(options)
  if (filter.kind === 'tag') return poll<GeneratedMessage>(filter.tag, options)
  return poll<GeneratedMessage>(predicate(filter, memory), options)
}

type Reading = Extract<Instruction, { kind: 'receive' | 'poll' }>

function senderOptions(from: Target | undefined, memory: Memory): { from: Address } | undefined {
  const sender = from === 'sender' ? memory.sender : from && Address.of(from.id)
  return sender === undefined ? undefined : { from: sender }
}

function predicate(filter: Filter, memory: Memory): (message: GeneratedMessage) => boolean {
  if (filter.kind === 'throwing') return (message) => acceptsOrThrows(filter, message)
  if (filter.kind === 'changing') return (message) => accepts(filter, message, memory.last)
  const { last } = memory
  return (message) => accepts(filter, message, last)
}

/** As an assertion library would. */
class AssertionError extends Error {
  override readonly name = 'AssertionError'
}

function acceptsOrThrows(filter: Filter, message: GeneratedMessage): boolean {
  if (throwsOn(filter, message)) throw new AssertionError(refusal)
  return accepts(filter, message, undefined)
}

function remember(memory: Memory, message: GeneratedMessage | undefined): void {
  memory.last = message?.value
  memory.sender = message?.from === undefined ? undefined : Address.of(message.from)
}

function watcher({ tag, hears, fears }: NonNullable<ProgramText['monitor']>): PropertyDeclaration {
  const observes = ({ kind, message }: Notification): boolean =>
    kind === 'announce' || (kind === 'send' && (message as GeneratedMessage).kind === tag)
  return monitor('watcher', { observes }, function* () {
    for (let heard = 0; heard < hears; heard++) {
      const { message } = yield* receive<Notification<GeneratedMessage>>()
      if (heard === hears - 1) yield* assert(message.value !== fears, `heard ${fears}`)
    }
  })
}

function sumIsNot(unwanted: number): PropertyDeclaration {
  return final('sum', ({ returned }) => {
    const sum = [...returned.values()].reduce<number>(
      (total, value) => total + (typeof value === 'number' ? value : 0),
      0,
    )
    return sum !== unwanted || `the sum is ${sum}`
  })
}
