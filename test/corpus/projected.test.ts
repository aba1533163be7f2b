/**
 * What a local search counts, counted in another way: states of machines and messages that a plain search of global states meets,
 * and pairs of those states that a conflict is about. Where both agree, the local search has met nothing that no execution leads to;
 * where it has met more, which the soundness check then rejects, it is said here by how much.
 * Of general invariants `systemStates` counts what the engine asked, which depends on how it asks: it is no property of the system.
 */
import { expect, test } from 'vitest'
import { mostOf } from '../../src/core/faults.ts'
import { encodeValue, type Value } from '../../src/core/value.ts'
import type { Announced, Envelope, LocalState, MachineEvent, Machines } from '../../src/program/machines.ts'
import { callOf } from '../../src/program/refinement.ts'
import { isSoon } from './answers.ts'
import { readCorpus, titleOf } from './entries.ts'
import { machinesFor, searched } from './machine-search.ts'

/**
 * A machine, and the different calls that it has announced, in order of their texts: what a system refines is decided by them. Two ways to one
 * state may differ in them, as a proposer of Paxos whose value is that of a vote differs from one that chose this value itself.
 */
interface Local {
  readonly state: LocalState
  readonly calls: readonly string[]
}

interface Global {
  readonly states: readonly Local[]
  readonly underWay: readonly Envelope[]
}

interface Projected {
  /** By machine and by key. */
  readonly states: readonly Map<string, Local>[]
  readonly messages: Set<string>
}

const mostStates = 2_000

/** Every global state of a bag in which nothing is duplicated, breadth first; undefined if there are too many. */
function projected(machines: Machines): Projected | undefined {
  const met = new Set<string>()
  const states = machines.machines.map(() => new Map<string, Local>())
  const messages = new Set<string>()
  const queue: Global[] = []
  const meet = (global: Global): void => {
    const texts = global.underWay.map(textOf).sort()
    const keys = global.states.map(({ state, calls }) => `${machines.key(state)} ${calls}`)
    const key = `${keys.join('\n')}\n\n${texts.join('\n')}`
    if (met.has(key)) return
    met.add(key)
    for (const [machine, local] of global.states.entries()) states[machine]?.set(keys[machine] as string, local)
    for (const text of texts) messages.add(text)
    queue.push(global)
  }
  const { start } = machines
  const begun = start.states.map((state, at) => ({ state, calls: callsAfter(machines, [], start.announced?.[at]) }))
  meet({ states: begun, underWay: start.underWay })
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (met.size > mostStates) return undefined
    for (const after of successors(machines, next)) meet(after)
  }
  return { states, messages }
}

function* successors(machines: Machines, { states, underWay }: Global): Generator<Global> {
  const crashes = states.reduce((sum, { state }) => sum + state.crashes, 0)
  for (const [machine, { state }] of states.entries())
    for (const event of machines.internal(machine, state))
      if (event.kind !== 'crash' || crashes < mostOf(machines.faults, 'restarts'))
        yield* outcomes(machines, { states, underWay }, machine, event)
  for (const [at, { from, to, message }] of underWay.entries()) {
    const rest = { states, underWay: underWay.toSpliced(at, 1) }
    yield* outcomes(machines, rest, machines.machines.indexOf(to), { kind: 'message', from, message })
  }
}

function* outcomes(machines: Machines, { states, underWay }: Global, machine: number, event: MachineEvent) {
  const before = states[machine] as Local
  for (const { state, sent, violation, announced } of machines.handle(machine, before.state, event)) {
    const calls = callsAfter(machines, before.calls, announced)
    if (violation === undefined)
      yield { states: states.with(machine, { state, calls }), underWay: [...underWay, ...sent] }
  }
}

function callsAfter({ refines = [] }: Machines, before: Local['calls'], announced: readonly Announced[] = []) {
  const made = announced.flatMap(({ event }) =>
    refines.flatMap((object) => {
      const call = callOf(object, event)
      return call === undefined ? [] : [encodeValue(call as unknown as Value)]
    }),
  )
  return [...new Set([...before, ...made])].sort()
}

function textOf({ from, to, message }: Envelope): string {
  return encodeValue([from, to, message])
}

/** Pairs of states of different machines whose facts conflict, for each invariant that is a conflict. */
function conflictingPairs({ invariants }: Machines, states: Projected['states']): number {
  let pairs = 0
  for (const { decomposed } of invariants) {
    if (decomposed === undefined) continue
    const facts = states.map((some, machine) =>
      [...some.values()].flatMap(({ state }): Value[] => {
        const fact = decomposed.fact(machine, state)
        return fact === undefined ? [] : [fact]
      }),
    )
    for (const [machine, some] of facts.entries())
      for (const left of some)
        for (const others of facts.slice(machine + 1))
          pairs += others.filter((right) => decomposed.conflict(left, right)).length
  }
  return pairs
}

const entries = await readCorpus(({ engines }) => engines.local?.verdict === 'verified')
const asked = entries.flatMap((entry) =>
  entry.answers.flatMap((answer) => {
    const program = entry.programs.get(answer.program)
    const { local } = answer.engines
    if (program === undefined || local?.verdict !== 'verified' || !isSoon(local)) return []
    return [[titleOf(entry, answer), () => machinesFor(program, answer.setting.params)] as const]
  }),
)
const counted = asked.flatMap(([title, made]) => {
  const machines = made()
  const found = machines.network === 'bag' ? projected(machines) : undefined
  return found === undefined ? [] : [{ title, machines, found }]
})

/** States of machines and messages that no execution leads to, by entry: machines apart do not know what others lost by a crash. */
const excess: { readonly [folder: string]: readonly [states: number, messages: number] } = {
  'lease-lock withFencing': [4, 4],
  'primary-backup replicatedFirst': [4, 0],
}

test('there are enough systems that are small', () => {
  expect(counted.length).toBeGreaterThan(5)
})

test.each(counted)(
  '$title: local meets what a plain search meets, and no more than is told',
  ({ title, machines, found }) => {
    const { counts } = searched(machines, 'local')
    const states = found.states.reduce((sum, some) => sum + some.size, 0)
    const [moreStates, moreMessages] = excess[title] ?? [0, 0]
    expect(counts).toMatchObject({ states: states + moreStates, messages: found.messages.size + moreMessages })
    // What calls lack is asked of whole states, as a general invariant is.
    const asksPairsAlone = machines.invariants.every(({ decomposed }) => decomposed !== undefined)
    if (moreStates === 0 && asksPairsAlone && (machines.refines ?? []).length === 0)
      expect(counts.systemStates).toBe(conflictingPairs(machines, found.states))
  },
)
