import { describe, expect, test } from 'vitest'
import { classProgram } from '../../../src/check/objects/class-program.ts'
import { type CheckOptions, checkRequest } from '../../../src/check/request.ts'
import { runCheck } from '../../../src/check/run.ts'
import { settingFrom } from '../../../src/core/setting.ts'
import { linearizable } from '../../../src/model/object.ts'
import { program } from '../../../src/model/program.ts'
import { loadText } from '../../agreement/object-agreement.ts'
import { cut, oneIn } from '../../amount.ts'
import { tick, tickingHost } from '../../ticking-host.ts'

const loaded = await loadText(`
import { Mutex } from 'allways/sync'

export class Counter {
  value = 0
  mutex = new Mutex()
  broken() { const value = this.value; this.value = value + 1; return value }
  right() { this.mutex.acquireSync(); const value = this.value; this.value = value + 1; this.mutex.release(); return value }
  take() { this.mutex.acquireSync(); return 0 }
  typo() { return this.vlaue.length }
}`)

const [broken, right, stuck] = [
  '{ broken() } || { broken() }',
  '{ right() } || { right() }',
  '{ take() } || { take() }',
] as const

function counter(operations: Record<string, []> = { broken: [], right: [], take: [] }) {
  const declared = linearizable(loaded.classes.get('Counter') as new () => object, { operations })
  const check = declared.views.object?.(settingFrom({ params: {} }))
  if (check === undefined) throw new Error('a class is declared as one')
  return classProgram(check, loaded)
}

async function verdictOf(engine: string, client: string, options: CheckOptions = {}) {
  const asked = checkRequest(counter(), { engine, params: { client }, causes: false, ...options })
  if (!asked.ok) return asked.diagnostics
  const checked = await runCheck(asked.value)
  return checked.ok ? checked.value.verdict : checked.diagnostics
}

describe('a class goes the way of every program', () => {
  test.each(['stateful', 'exhaustive', 'random', 'pct'])('%s finds and the judge repeats', async (engine) => {
    const isSampling = engine === 'random' || engine === 'pct'
    const few: CheckOptions = isSampling ? { samples: 200 } : {}
    expect(await verdictOf(engine, broken, few)).toMatchObject({
      kind: 'violated',
      evidence: [{ violation: { kind: 'linearizability', message: 'broken() → 0 || broken() → 0' } }],
    })
    expect(await verdictOf(engine, stuck, few)).toMatchObject({
      kind: 'violated',
      evidence: [{ violation: { kind: 'deadlock' } }],
    })
    const clean = isSampling ? 'passed' : 'verified'
    expect(await verdictOf(engine, right, few)).toMatchObject({ kind: clean })
    expect(await verdictOf(engine, stuck, { ...few, deadlock: 'allow' })).toMatchObject({ kind: clean })
  })

  test('what it tells are calls, accesses and returns', async () => {
    const verdict = await verdictOf('exhaustive', broken)
    if (!('evidence' in verdict)) throw new Error(JSON.stringify(verdict))
    const [evidence] = verdict.evidence
    if (evidence?.kind !== 'execution') throw new Error('a violation has an execution')
    const told = evidence.events.map((event) => ('text' in event ? `${event.process} ${event.kind} ${event.text}` : ''))
    expect(told.toSorted()).toEqual([
      'p1 access reads value → 0',
      'p1 access value = 1',
      'p1 call broken()',
      'p1 return broken → 0',
      'p2 access reads value → 0',
      'p2 access value = 1',
      'p2 call broken()',
      'p2 return broken → 0',
    ])
  })

  test('a client that is none is a diagnostic', async () => {
    expect(await verdictOf('stateful', '{ broken(')).toMatchObject([{ code: expect.stringMatching(/^E/) }])
  })
})

test('a sweep goes over the clients within bounds, smallest first', () => {
  const program = counter({ broken: [] })
  const sweep = program.sweep?.(settingFrom({ params: program.params, bounds: { processes: 2, calls: 2 } }))
  // Up to two processes of up to two calls of one operation, up to the order of processes.
  expect([...(sweep?.settings() ?? [])].map(({ params }) => params.client)).toEqual([
    '{ broken() } || { broken() }',
    '{ broken(); broken() } || { broken() }',
    '{ broken(); broken() } || { broken(); broken() }',
  ])
  expect(sweep?.outOf).toBe(3)
})

test('a client that is named as a parameter is one client, and not all within bounds', async () => {
  const verdict = await verdictOf('stateful', right)
  expect(verdict).toMatchObject({ kind: 'verified', scope: { params: {} }, counts: { clients: 1 } })
})

test('a search for all violations that a budget ends says so', async () => {
  const request = checkRequest(counter(), { keepGoing: true, causes: false, time: 1 })
  if (!request.ok) throw new Error('a class can be checked')
  let now = 0
  const host = { now: () => now++, memory: () => 0, pause: async () => {} }
  const checked = await runCheck(request.value, { host })
  expect(checked).toMatchObject({
    ok: true,
    value: { verdict: { kind: 'violated', exhausted: false, because: 'time' } },
  })
})

describe('what makes no sense for a class is refused', () => {
  const refused = (options: CheckOptions) => {
    const request = checkRequest(counter(), options)
    return request.ok ? [] : request.diagnostics.map(({ code, message }) => `${code} ${message}`)
  }

  test.each([
    [{ network: 'fifo' }, ['E107 "Counter" sends no messages, so it has no network']],
    [{ maxSteps: 3 }, ['E107 maxSteps is no bound of "Counter"']],
    [{ faults: { losses: 1 } }, ['E217 "Counter" is a class, and faults are for processes and messages']],
    [{ clients: [broken], calls: 2 }, ['E107 clients with processes or calls makes no sense']],
    [{ processes: 0 }, ['E107 processes is 0, but it must be a whole number above 0']],
    [{ criterion: 'fast' as never }, ['E107 there is no criterion "fast"']],
    [{ specification: 'ques' }, ['E107 there is no specification "ques"']],
    [{ options: { samples: 3 } }, ['E107 engine "stateful" has no option "samples"']],
  ] as const)('%j', (options, messages) => {
    expect(refused(options)).toEqual(messages)
  })
})

test('bounds and options of classes are refused by other programs', () => {
  const other = program('one', function* () {})
  const refused = (options: CheckOptions) => {
    const request = checkRequest(other, options)
    return request.ok ? [] : request.diagnostics.map(({ message }) => message)
  }
  expect(refused({ clients: [broken] })).toEqual(['clients is no bound of "one"'])
  expect(refused({ criterion: 'outcomes' })).toEqual(['"one" has no option "criterion"'])
})

test('an operation that throws in every execution, and one that no client calls, are told', async () => {
  const clients = ['{ typo(); right() } || { typo() }']
  const declared = linearizable(
    loaded.classes.get('Counter') as new () => object,
    {
      operations: { typo: [], right: [], broken: [] },
      clients,
    } as never,
  )
  const check = declared.views.object?.(settingFrom({ params: {} }))
  if (check === undefined) throw new Error('a class is declared as one')
  for (const engine of ['stateful', 'exhaustive', 'dpor', 'random']) {
    const asked = checkRequest(classProgram(check, loaded), {
      engine,
      ...(engine === 'random' ? { samples: 200 } : {}),
    })
    const checked = asked.ok ? await runCheck(asked.value) : asked
    expect(checked.ok ? checked.value.verdict : checked.diagnostics).toMatchObject({
      vacuity: [
        { code: 'operation-always-throws', subject: 'typo', count: expect.any(Number) },
        { code: 'operation-never-called', subject: 'broken', count: 0 },
      ],
      operations: [
        { operation: 'typo', returned: 0, threw: expect.any(Number), waited: 0 },
        { operation: 'right', returned: expect.any(Number), threw: 0, waited: 0 },
        { operation: 'broken', returned: 0, threw: 0, waited: 0 },
      ],
    })
  }
})

test.each(oneIn(3, ['stateful', 'dpor', 'exhaustive']))(
  'timers that would go on are told of, by %s',
  cut,
  async (engine) => {
    const { classes, modules } = await loadText(`
    export class Beat {
      beats = 0
      start() { const timer = setInterval(() => { if (++this.beats > 9) clearInterval(timer) }, 10) }
      count() { return this.beats < 9 }
    }
    export class Once {
      isDone = false
      start() { setTimeout(() => { this.isDone = true }, 10) }
    }`)
    const vacuityOf = async (name: string, operations: object, clients: readonly string[]) => {
      const declared = linearizable(classes.get(name) as new () => object, { operations, clients } as never)
      const check = declared.views.object?.(settingFrom({ params: {} }))
      if (check === undefined) throw new Error('a class is declared as one')
      const asked = checkRequest(classProgram(check, { ...loaded, modules }), { engine })
      const checked = asked.ok ? await runCheck(asked.value) : asked
      if (!checked.ok || checked.value.verdict.kind !== 'verified') throw new Error(JSON.stringify(checked))
      return checked.value.verdict.vacuity
    }
    expect(await vacuityOf('Beat', { start: [], count: [] }, ['{ start() } || { count() }'])).toMatchObject([
      { code: 'timers-cut', subject: 'timers that have fired 3 times' },
    ])
    expect(await vacuityOf('Once', { start: [] }, ['{ start() } || { start() }'])).toBeUndefined()
  },
)

test('a method that gives what an async one promises is interrupted at awaits, though nothing in it says so', async () => {
  const { classes, modules } = await loadText(`
    export class Delegating {
      value = 0
      add() { return this.#run(() => this.value++) }
      async #run(act) { return act() }
    }
    export class Plain {
      value = 0
      add() { return this.#run(() => this.value++) }
      #run(act) { return act() }
    }`)
  const chosen = ['Delegating', 'Plain'].map((name) => {
    const declared = linearizable(classes.get(name) as new () => object, { operations: { add: [] } })
    const check = declared.views.object?.(settingFrom({ params: {} }))
    return check && classProgram(check, { modules }).options?.granularity?.default
  })
  expect(chosen).toEqual(['await', 'access'])
})

describe('what a client does sequentially', () => {
  const calls = (count: number): string => `{ ${Array.from({ length: count }, () => 'right()').join('; ')} }`
  const client = [calls(6), calls(6), calls(6)].join(' || ')

  test('is found out only when the check runs, and time and interrupts are looked at meanwhile', async () => {
    const controller = new AbortController()
    const asked = { engine: 'exhaustive', params: { client }, causes: false } as const
    const timed = checkRequest(counter(), { ...asked, time: tick * 30 })
    const interrupted = checkRequest(counter(), { ...asked, signal: controller.signal })
    if (!timed.ok || !interrupted.ok) throw new Error('the client fits the class')
    controller.abort()
    for (const [request, because] of [
      [timed.value, 'time'],
      [interrupted.value, 'interrupt'],
    ] as const) {
      const checked = await runCheck(request, { host: tickingHost() })
      // No execution was begun: 343 states have to be met before the sequential runs are known.
      expect(checked).toMatchObject({ value: { verdict: { kind: 'incomplete', because, counts: { executions: 0 } } } })
    }
  })

  test('that does not return is told with its place', async () => {
    const endless = await loadText('export class Endless { value = 0\n  spin() { while (true) this.value++ } }')
    const declared = linearizable(endless.classes.get('Endless') as new () => object, { operations: { spin: [] } })
    const check = declared.views.object?.(settingFrom({ params: {} }))
    if (check === undefined) throw new Error('a class is declared as one')
    const asked = checkRequest(classProgram(check, endless), { params: { client: '{ spin() } || { spin() }' } })
    if (!asked.ok) throw new Error('nothing is run before the check')
    expect(await runCheck(asked.value)).toMatchObject({ diagnostics: [{ code: 'E304', place: { line: 2 } }] })
  })
})

test.each([
  ['E307', 'setTime', 'held = new Date(0)', 'this.held.setTime(1)'],
  ['E307', 'freeze', 'held = {}', 'Object.freeze(this.held)'],
  ['E307', 'setPrototypeOf', 'held = {}', 'Reflect.setPrototypeOf(this.held, null)'],
  ['E307', 'defineProperty', 'held = () => {}', "Object.defineProperty(this.held, 'name', { value: 'a' })"],
  ['E305', 'URL', "held = new URL('http://a.b/')", "this.held.pathname = '/c'"],
  ['E305', 'URLSearchParams', 'held = new URLSearchParams()', "this.held.set('a', 'b')"],
  ['E305', 'EventTarget', 'held = new EventTarget()', "this.held.addEventListener('a', () => {})"],
])('%s: what nobody can compare or take back is refused: %s', async (code, named, field, change) => {
  const { classes, modules } = await loadText(`export class Holding { ${field}; act() { ${change} } }`)
  const declared = linearizable(classes.get('Holding') as new () => object, { operations: { act: [] } } as never)
  const check = declared.views.object?.(settingFrom({ params: {} }))
  if (check === undefined) throw new Error('a class is declared as one')
  const asked = checkRequest(classProgram(check, { ...loaded, modules }), { engine: 'stateful' })
  const checked = asked.ok ? await runCheck(asked.value) : asked
  expect(checked).toMatchObject({ ok: false, diagnostics: [{ code, message: expect.stringContaining(named) }] })
})

test.each([
  ['process.once', "set() { process.once('exit', () => {}) }"],
  ['Math.random in a callback of native code', 'set() { return [2, 1].sort(() => Math.random() - 0.5).length }'],
])('%s in an operation is refused, and leaves no listener', async (_, method) => {
  const { classes, modules } = await loadText(`export class Own { n = 0; ${method} }`)
  const listeners = process.listenerCount('exit')
  const declared = linearizable(classes.get('Own') as new () => object, { operations: { set: [] } } as never)
  const check = declared.views.object?.(settingFrom({ params: {} }))
  if (check === undefined) throw new Error('a class is declared as one')
  const asked = checkRequest(classProgram(check, { ...loaded, modules }), {})
  const checked = asked.ok ? await runCheck(asked.value) : asked
  expect(checked).toMatchObject({ ok: false, diagnostics: [{ code: 'E209' }] })
  expect(process.listenerCount('exit')).toBe(listeners)
})
