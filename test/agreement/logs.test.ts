/**
 * Logs of machines against all orders of their events, enumerated without remembering anything: a run refines an object if no order refuses a call, breaks
 * it if every order does, and is open otherwise. Where lines were lost and calls are known from a later life, the answer is that of the whole run or open.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { machine, refines, refuse, specification, system } from 'allways'
import { afterAll, expect, test } from 'vitest'
import { runLogCheck } from '../../src/check/logs/log-run.ts'
import { Random } from '../../src/core/random.ts'
import { amount, cut } from '../amount.ts'

const cell = specification('cell', {
  state: { value: 0 },
  operations: {
    write(state: { value: number }, { value }: { readonly value: number }) {
      state.value = value
    },
    read(state: { value: number }, { value }: { readonly value: number }) {
      return state.value === value ? undefined : refuse(`it holds ${state.value}`)
    },
  },
})

const names = ['a', 'b', 'c'] as const
const kind = machine<object, { readonly kind: 'go' }>('kind', { state: () => ({}), on: { go: () => {} } })
const trio = system('trio', {}, () => ({
  machines: { a: kind.as(), b: kind.as(), c: kind.as() },
  properties: [refines(cell)],
}))

const folder = mkdtempSync(join(tmpdir(), 'allways-logs-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Call {
  readonly kind: 'cell.write' | 'cell.read'
  readonly value: number
}

interface Happened {
  readonly machine: number
  /** Positions of those that come before it. */
  readonly after: readonly number[]
  readonly calls: readonly Call[]
}

interface Run {
  readonly events: readonly Happened[]
  readonly lines: readonly string[]
  /** Whether something was received that a lost line tells the sending of. */
  readonly isUnsent: boolean
}

interface Life {
  readonly incarnation: number
  readonly calls: object[]
  step: number
  /** Nothing that it does is written any more. */
  isSilent: boolean
}

/** A run that was, as it was logged. `isLosing`: a machine may be killed, with lines that it had still to write, and may come back. */
function generated(seed: number, isLosing: boolean): Run {
  const random = new Random(seed)
  const events: (Happened & {
    readonly from?: number | undefined
    readonly isWritten: boolean
    readonly life: Life
  })[] = []
  const lines: { readonly machine: string; readonly text: string }[] = []
  const underWay: { readonly to: number; readonly by: number; readonly event: object }[] = []
  const lives = names.map((): Life => ({ incarnation: 1, step: 1, calls: [], isSilent: false }))
  let clock = 0
  const write = (at: number, line: object): void => {
    lines.push({ machine: names[at] as string, text: JSON.stringify({ time: 1, machine: names[at], ...line }) })
  }
  const begin = (at: number, earlier: object = {}): void => {
    const { incarnation } = lives[at] as Life
    const about = { system: 'trio', params: {}, incarnation, machines: names, refines: ['cell'] }
    write(at, { format: 'allways-log/1', ...about, ...earlier })
    write(at, { step: 1, event: { kind: incarnation === 1 ? 'start' : 'restart' }, sent: [] })
  }
  for (const at of names.keys()) begin(at)
  for (let left = 3 + random.below(5); left > 0; left--) {
    const at = random.below(names.length)
    const life = lives[at] as Life
    const number = ++clock
    const got = random.below(2) === 0 ? underWay.findIndex(({ to }) => to === at) : -1
    // Networks may deliver a message again.
    const [message] = got < 0 ? [] : random.below(5) === 0 ? [underWay[got]] : underWay.splice(got, 1)
    const calls: Call[] = Array.from({ length: random.below(3) === 0 ? 2 : random.below(2) }, () => ({
      kind: random.below(2) === 0 ? 'cell.write' : 'cell.read',
      value: random.below(2),
    }))
    const timed = calls.map((call) => ({ at: ++clock, call }))
    life.calls.push(...timed)
    const isSending = random.below(2) === 0
    const to = random.below(names.length)
    const { incarnation } = life
    const event = { kind: 'message', from: names[at], incarnation, number }
    if (isSending) underWay.push({ to, by: events.length, event })
    life.isSilent ||= isLosing && random.below(4) === 0
    const last = events.findLastIndex(({ machine: one }) => one === at)
    const after = [last, message?.by ?? -1].filter((one) => one >= 0)
    events.push({ machine: at, after, calls, from: message?.by, isWritten: !life.isSilent, life })
    const sent = isSending ? [{ to: names[to], number }] : []
    const told = timed.length === 0 ? {} : { calls: timed }
    const line = { step: ++life.step, event: message?.event ?? { kind: 'timer', name: 't' }, ...told, sent }
    if (!life.isSilent) write(at, line)
    if (!life.isSilent || random.below(2) === 0) continue
    lives[at] = { incarnation: incarnation + 1, step: 1, calls: [...life.calls], isSilent: false }
    begin(at, { earlier: { incarnation, calls: life.calls } })
  }
  // Of one that does not come back nobody knows what it announced last.
  const isForgotten = ({ isWritten, life }: (typeof events)[number]) => !isWritten && lives.includes(life)
  const isUnsent = events.some(({ from, isWritten }) => {
    const sender = from === undefined ? undefined : events[from]
    return isWritten && sender !== undefined && isForgotten(sender)
  })
  const known = events.map((one) => (isForgotten(one) ? { ...one, calls: [] } : one))
  return { events: known, lines: mixed(lines, random), isUnsent }
}

/** Lines of different machines in any order: nothing may depend on it. */
function mixed(
  lines: readonly { readonly machine: string; readonly text: string }[],
  random: Random,
): readonly string[] {
  const left = names.map((name) => lines.filter(({ machine: one }) => one === name).map(({ text }) => text))
  const taken: string[] = []
  while (taken.length < lines.length) taken.push(...(left[random.below(left.length)]?.splice(0, 1) ?? []))
  return taken
}

type Answer = 'passed' | 'violated' | 'incomplete'

/** All orders of all events, one after the other. */
function enumerated(events: readonly Happened[]): Answer {
  let [isRefused, isAllowed] = [false, false]
  const go = (done: ReadonlySet<number>, value: number): void => {
    if (done.size === events.length) isAllowed = true
    for (const [at, { after, calls }] of events.entries()) {
      if (done.has(at) || !after.every((one) => done.has(one))) continue
      let now: number | undefined = value
      for (const call of calls) {
        if (now === undefined) break
        now = call.kind === 'cell.write' ? call.value : call.value === now ? now : undefined
      }
      if (now === undefined) isRefused = true
      else go(new Set([...done, at]), now)
    }
  }
  go(new Set(), 0)
  return !isRefused ? 'passed' : isAllowed ? 'incomplete' : 'violated'
}

async function judged({ lines }: Run): Promise<Answer | string> {
  const file = join(folder, 'run.jsonl')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const checked = await runLogCheck({ program: trio, files: [file] })
  if (!checked.ok) return checked.diagnostics.map(({ code, message }) => `${code} ${message}`).join('; ')
  return checked.value.verdict.kind
}

const runs = amount({ quick: 80, rest: 1_000, all: 50_000 })

test('a log is judged as all orders of its events are, one by one', cut, async () => {
  const met = new Map<Answer, number>()
  for (let seed = 0; seed < runs; seed++) {
    const run = generated(seed, false)
    const expected = enumerated(run.events)
    met.set(expected, (met.get(expected) ?? 0) + 1)
    expect(await judged(run), `seed ${seed}`).toBe(expected)
  }
  // Each answer is one that matters: a tenth of the runs at least have it.
  for (const answer of ['passed', 'violated', 'incomplete'] as const) expect(met.get(answer)).toBeGreaterThan(runs / 10)
})

test('of a run that lost lines nothing is said that is not so', cut, async () => {
  let [told, open, refused] = [0, 0, 0]
  for (let seed = 0; seed < runs; seed++) {
    const run = generated(seed, true)
    const answer = await judged(run)
    if (run.isUnsent) expect(answer, `seed ${seed}`).toContain('no log tells what led to it')
    else expect([enumerated(run.events), 'incomplete'], `seed ${seed}`).toContain(answer)
    if (run.isUnsent) refused++
    else if (answer === 'incomplete') open++
    else told++
  }
  expect(Math.min(told, open)).toBeGreaterThan(runs / 20)
  expect(refused).toBeGreaterThan(0)
})

test('a message of a machine that was killed does not say what it announced after it', async () => {
  const about = { format: 'allways-log/1', system: 'trio', params: {}, machines: names, refines: ['cell'] }
  const received = { kind: 'message', from: 'a', incarnation: 1, number: 1 }
  const written = { at: 2, call: { kind: 'cell.write', value: 1 } }
  const lines = [
    { machine: 'a', ...about, incarnation: 1 },
    // Here it sent the message and then announced the call, and could write neither.
    { machine: 'a', ...about, incarnation: 2, earlier: { incarnation: 1, calls: [written] } },
    { machine: 'b', ...about, incarnation: 1 },
    { machine: 'b', step: 1, event: { kind: 'start' }, sent: [] },
    { machine: 'b', step: 2, event: received, calls: [{ at: 3, call: { kind: 'cell.read', value: 0 } }], sent: [] },
    { machine: 'c', ...about, incarnation: 1 },
  ]
  const run = { events: [], lines: lines.map((line) => JSON.stringify(line)), isUnsent: false }
  expect(await judged(run)).toBe('incomplete')
})
