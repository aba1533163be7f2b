/**
 * The eager variant against its own oracle: every way in which messages can be sent, arrive in order per pair of processes, and be
 * received, enumerated naively; what counts is who read what and in which order messages arrived, read or not.
 */
// @module-tag cut

import { expect, test } from 'vitest'
import { Random } from '../../src/core/random.ts'
import { settingFrom } from '../../src/core/setting.ts'
import { Address } from '../../src/core/value.ts'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import type { DporOptions } from '../../src/engines/dpor/options.ts'
import { poll, program, receive, send, spawn } from '../../src/index.ts'
import { amount, atLeast } from '../amount.ts'

type Instruction =
  | { readonly kind: 'send'; readonly to: number; readonly value: number }
  | { readonly kind: 'receive' | 'poll'; readonly value: number | undefined; readonly from?: number }

type Text = readonly (readonly Instruction[])[]

function generated(seed: number, senders: boolean): Text {
  const random = new Random(seed).split()
  const count = 2 + random.below(2)
  const instruction = (): Instruction => {
    const value = random.below(2)
    if (random.below(100) < 60) return { kind: 'send', to: random.below(count), value }
    const wanted = random.below(2) === 0 ? undefined : value
    const from = senders && random.below(2) === 0 ? { from: random.below(count) } : {}
    return { kind: random.below(3) === 0 ? 'poll' : 'receive', value: wanted, ...from }
  }
  return Array.from({ length: count }, () => Array.from({ length: 1 + random.below(3) }, instruction))
}

interface State {
  readonly at: readonly number[]
  /** Messages under way, by sender and receiver. */
  readonly ways: { readonly [way: string]: readonly string[] }
  readonly inboxes: readonly (readonly string[])[]
  readonly arrived: readonly (readonly string[])[]
  readonly read: readonly (readonly string[])[]
}

/** The classes of executions: where everybody ended, what arrived in which order, who read what. */
function enumerated(text: Text): number {
  const none = text.map((): readonly string[] => [])
  const open: State[] = [{ at: text.map(() => 0), ways: {}, inboxes: none, arrived: none, read: none }]
  const seen = new Set<string>()
  const ends = new Set<string>()
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const key = JSON.stringify(state)
    if (seen.has(key)) continue
    seen.add(key)
    const next = [...moves(text, state), ...arrivals(state)]
    if (next.length === 0) ends.add(JSON.stringify([state.at, state.arrived, state.read]))
    open.push(...next)
  }
  return ends.size
}

function moves(text: Text, state: State): State[] {
  return text.flatMap((body, process): State[] => {
    const position = state.at[process] as number
    const instruction = body[position]
    if (instruction === undefined) return []
    const at = state.at.with(process, position + 1)
    if (instruction.kind === 'send') {
      const way = `${process}>${instruction.to}`
      const message = `${process}:${position}:${instruction.value}`
      return [{ ...state, at, ways: { ...state.ways, [way]: [...(state.ways[way] ?? []), message] } }]
    }
    const inbox = state.inboxes[process] as readonly string[]
    const { value, from } = instruction
    const wanted = inbox.find(
      (message) =>
        (value === undefined || message.endsWith(`:${value}`)) &&
        (from === undefined || message.startsWith(`${from}:`)),
    )
    const reading = (message: string): State => ({
      ...state,
      at,
      inboxes: state.inboxes.with(
        process,
        inbox.filter((one) => one !== message),
      ),
      read: state.read.with(process, [...(state.read[process] as readonly string[]), message]),
    })
    const taken = wanted === undefined ? [] : [reading(wanted)]
    return instruction.kind === 'poll' ? [...taken, reading('nothing')] : taken
  })
}

function arrivals(state: State): State[] {
  return Object.entries(state.ways).flatMap(([way, [first, ...rest]]): State[] => {
    if (first === undefined) return []
    const to = Number(way.split('>')[1])
    const added = (lists: State['inboxes']) => lists.with(to, [...(lists[to] as readonly string[]), first])
    const ways = { ...state.ways, [way]: rest }
    return [{ ...state, ways, inboxes: added(state.inboxes), arrived: added(state.arrived) }]
  })
}

function subjectOf(text: Text) {
  const interpreted = program('eager', function* () {
    for (const [number, body] of text.entries()) {
      yield* spawn(`p${number}`, function* () {
        for (const instruction of body) {
          if (instruction.kind === 'send') yield* send(Address.of<number>(`p${instruction.to}`), instruction.value)
          else {
            const where = (value: number) => instruction.value === undefined || value === instruction.value
            const options = instruction.from === undefined ? undefined : { from: Address.of(`p${instruction.from}`) }
            yield* instruction.kind === 'poll' ? poll(where, options) : receive(where, options)
          }
        }
      })
    }
  })
  const view = interpreted.views.runnable
  if (view === undefined) throw new Error('no runnable view')
  return view(settingFrom({ params: {}, network: 'fifo' }))
}

const programs = amount({ quick: 20, thorough: 80, all: 300 })

test.each<DporOptions['schedule']>(['sends-first', 'left-to-right', 'random'])(
  'under fifo-eager dpor explores every order of arrival once, %s',
  (schedule) => {
    let classes = 0
    for (let seed = 0; seed < programs; seed++) {
      const text = generated(seed, seed % 2 === 1)
      const expected = enumerated(text)
      const setting = { seed, schedule, eager: true, samples: 0, depth: 0 }
      const events = [...dpor.explore(subjectOf(text), setting)]
      const executions = events.filter(({ kind }) => kind === 'execution').length
      expect(executions, JSON.stringify(text)).toBe(expected)
      classes += expected
    }
    expect(classes).toBeGreaterThan(atLeast(2 * programs))
  },
)
