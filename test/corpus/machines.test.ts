/**
 * The systems of the corpus by the local and the global search: verdicts, what is violated, and exact counts where they mean
 * something. Every violation is replayed by the judge (`searched`).
 */
import { describe, expect, test } from 'vitest'
import type { Envelope, LocalState, MachineEvent, Machines } from '../../src/program/machines.ts'
import { isSlow, longIf } from '../amount.ts'
import { type Answer, isLarge, isSoon, type StatesAnswer } from './answers.ts'
import { type Entry, readCorpus, titleOf } from './entries.ts'
import {
  depthOf,
  type Judges,
  judgesFor,
  type MachineEngine,
  machineEngines,
  machinesFor,
  searched,
} from './machine-search.ts'

const entries = (
  await readCorpus(({ engines }) => machineEngines.some((engine) => engines[engine] !== undefined))
).filter(({ programs }) => [...programs.values()].some(({ views }) => views.machines !== undefined))
const asked = entries.flatMap(questions)
const searches = ['local', 'stateful'] as const
describe('the corpus of systems is complete', () => {
  test.each(entries)('$name has a system that is right and one that is wrong', ({ programs, answers }) => {
    const wrong = new Set(answers.filter(isViolated).map(({ program }) => program))
    expect(wrong.size).toBeGreaterThan(0)
    expect(wrong.size).toBeLessThan(programs.size)
  })

  test('an answer with a violation says of every engine which, and one without of none', () => {
    const told = asked.filter(
      ({ expected }) => (expected.verdict === 'violated') !== (expected.violation !== undefined),
    )
    expect(told.map(({ title }) => title)).toEqual([])
  })

  test('both searches give the same verdict wherever both are asked', () => {
    const both = entries
      .flatMap(({ answers }) => answers.map(({ engines }) => engines))
      .filter(({ local, stateful }) => local !== undefined && stateful !== undefined)
    expect(both.length).toBeGreaterThan(entries.length)
    expect(both.filter(({ local, stateful }) => local?.verdict !== stateful?.verdict)).toEqual([])
  })
})

describe('engines find what is expected', () => {
  const soon = asked.filter(({ expected }) => isSoon(expected))
  for (const [at, one] of soon.entries()) {
    const large = isLarge(one.expected)
    test(one.title, longIf(large || at % 3 > 0, large && at % 4 > 0), () => check(one))
  }

  const long = asked.filter(({ expected }) => expected.long)
  for (const one of long) test(one.title, longIf(true, true), () => check(one))
})

/** Answers that take many seconds: `AMOUNT=all npx vitest run test/corpus`. */
describe.runIf(isSlow)('engines find what is expected where it takes long', () => {
  const slow = asked.filter(({ expected }) => expected.slow)
  for (const one of slow) test(one.title, () => check(one))
})

/** LMC §5.5: N1 has proposed v1, N1 and N2 have accepted it, and only N1 has learned it; all other messages are lost. */
describe('from the live state of LMC §5.5', () => {
  const happened: readonly Happened[] = [
    { machine: 'N1', request: 'propose' },
    { machine: 'N1', from: 'N1', kind: 'prepare' },
    { machine: 'N2', from: 'N1', kind: 'prepare' },
    { machine: 'N1', from: 'N1', kind: 'promise' },
    { machine: 'N1', from: 'N2', kind: 'promise' },
    { machine: 'N1', from: 'N1', kind: 'accept' },
    { machine: 'N2', from: 'N1', kind: 'accept' },
    { machine: 'N1', from: 'N1', kind: 'learn' },
    { machine: 'N1', from: 'N2', kind: 'learn' },
  ]
  const live = (exported: string) => liveState(exported, { proposals: 2 }, happened)

  test('N1 alone has chosen', () => {
    expect(live('paxos').start.states.map(({ data }) => data)).toMatchObject([
      { slots: { 0: { accepted: { ballot: 1, value: 'v1' }, chosen: 'v1' } } },
      { slots: { 0: { accepted: { ballot: 1, value: 'v1' }, chosen: undefined } } },
      { slots: {} },
    ])
  })

  test.each(searches)('%s finds that N1 and another machine choose differently', (engine) => {
    for (const exported of ['acceptUsesLastResponse', 'acceptUsesLastResponseGeneral']) {
      const { violation } = searched(live(exported), engine)
      expect(violation).toMatchObject({ kind: 'invariant', property: 'agreement' })
    }
  })

  test.each(searches)('%s finds nothing if the proposer takes the highest ballot', (engine) => {
    expect(searched(live('paxos'), engine).verdict).toBe('verified')
  })
})

/** LMC §5.6: N3 has become the leader, N2 is its acceptor, and all but N1 have chosen v3; all other messages are lost. */
describe('from the live state of LMC §5.6', () => {
  const happened: readonly Happened[] = [
    { machine: 'N3', request: 'lead' },
    { machine: 'configuration', from: 'N3', kind: 'leader change' },
    { machine: 'N3', from: 'configuration', kind: 'leading' },
    { machine: 'N2', from: 'N3', kind: 'prepare' },
    { machine: 'N3', from: 'N2', kind: 'adopted' },
    { machine: 'N3', request: 'propose' },
    { machine: 'N2', from: 'N3', kind: 'accept' },
    { machine: 'N2', from: 'N2', kind: 'learn' },
    { machine: 'N3', from: 'N2', kind: 'learn' },
  ]
  const live = (exported: string) => liveState(exported, {}, happened)

  test('all but N1 have chosen v3', () => {
    expect(live('onePaxos').start.states.map(({ data }) => data)).toMatchObject([
      { leader: 'N1', chosen: {} },
      { chosen: { 0: 'v3' } },
      { chosen: { 0: 'v3' } },
      { leader: 'N3', acceptor: 'N2' },
    ])
  })

  test.each(searches)('%s finds that N1 chooses v1 by itself', (engine) => {
    const { violation, decisions } = searched(live('wrongFirstAcceptor'), engine)
    expect(violation).toMatchObject({ kind: 'invariant', property: 'agreement' })
    expect(violation?.message).toContain('N1 says {0: "v1"}')
    // Only N1 acts: it proposes, accepts and learns.
    const acting = decisions.filter(({ kind, process }) => kind !== 'step' && process !== 'main')
    expect(new Set(acting.map(({ process }) => process))).toEqual(new Set(['N1']))
  })

  test.each(searches)('%s finds nothing if N1 begins with the right acceptor', (engine) => {
    expect(searched(live('onePaxos'), engine).verdict).toBe('verified')
  })
})

interface Question {
  readonly title: string
  readonly machines: () => Machines
  readonly judges: () => Judges
  readonly engine: MachineEngine
  readonly expected: StatesAnswer
}

function questions(entry: Entry): readonly Question[] {
  return entry.answers.flatMap((answer) =>
    machineEngines.flatMap((engine) => {
      const program = entry.programs.get(answer.program)
      const expected = answer.engines[engine] as StatesAnswer | undefined
      if (program?.views.machines === undefined || expected === undefined) return []
      const upTo = expected.options?.symmetry ? ', up to names' : ''
      const title = `${titleOf(entry, answer)}, ${engine}${upTo}: ${expected.verdict}`
      const machines = () => machinesFor(program, answer.setting.params)
      const judges = () => judgesFor(program, answer.setting.params)
      return [{ title, machines, judges, engine, expected }]
    }),
  )
}

function isViolated({ engines }: Answer): boolean {
  return machineEngines.some((engine) => engines[engine]?.verdict === 'violated')
}

function check({ machines, judges, engine, expected }: Question): void {
  const { verdict, counts, violation, decisions } = searched(machines(), engine, { ...judges(), ...expected.options })
  expect(verdict).toBe(expected.verdict)
  expect(counts).toMatchObject(expected.counts ?? {})
  const { property, rule, depth } = expected.violation ?? {}
  expect(violation?.property).toBe(property)
  if (rule !== undefined) expect(violation?.rule).toBe(rule)
  if (depth !== undefined) expect(depthOf(decisions)).toBe(depth)
}

/** What happened in a running system: a request of a machine, or the delivery of a message that was under way. */
type Happened =
  | { readonly machine: string; readonly request: string }
  | { readonly machine: string; readonly from: string; readonly kind: string }

/** The system from where that led, with nothing under way. */
function liveState(exported: string, params: { [name: string]: number }, happened: readonly Happened[]): Machines {
  const program = entries.flatMap(({ programs }) => programs.get(exported) ?? [])[0]
  if (program === undefined) throw new Error(`no system "${exported}"`)
  const machines = machinesFor(program, params)
  const states = [...machines.start.states]
  let underWay: readonly Envelope[] = machines.start.underWay
  for (const one of happened) {
    const at = machines.machines.indexOf(one.machine)
    const message = underWay.find((envelope) => isDelivery(envelope, one))
    const state = states[at] as LocalState
    const [outcome] = machines.handle(at, state, eventOf(machines, at, state, one, message))
    if (outcome?.violation !== undefined) throw new Error(outcome.violation.message)
    states[at] = outcome?.state as LocalState
    underWay = [...underWay.filter((envelope) => envelope !== message), ...(outcome?.sent ?? [])]
  }
  return machines.from(states, [])
}

function isDelivery({ from, to, message }: Envelope, happened: Happened): boolean {
  if ('request' in happened || from !== happened.from || to !== happened.machine) return false
  return (message as { readonly kind: string }).kind === happened.kind
}

function eventOf(
  machines: Machines,
  machine: number,
  state: LocalState,
  happened: Happened,
  message: Envelope | undefined,
): MachineEvent {
  if (message !== undefined) return { kind: 'message', from: message.from, message: message.message }
  const name = 'request' in happened ? happened.request : undefined
  const event = machines.internal(machine, state).find((one) => one.kind === 'request' && one.name === name)
  if (event === undefined) throw new Error(`this cannot happen: ${JSON.stringify(happened)}`)
  return event
}
