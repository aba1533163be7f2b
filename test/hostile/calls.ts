/** Valid calls of the public API, as source text that can be changed anywhere, each with a program around it that shows what it does. */

/** Source text, or options and lists whose parts can be changed one by one. */
export type Argument = string | { readonly [name: string]: Argument } | readonly Argument[]

export interface ValidCall {
  readonly called: string
  readonly args: readonly Argument[]
  /** A check file with the call in the place of `CALL`. */
  readonly around: string
}

const alone = 'export default CALL'
const inMain = `export default program('p', function* () {\n  CALL\n})`
const withPeer = `export default program('p', function* () {
  const peer = yield* spawn('peer', { daemon: true }, function* () { yield* receive() })
  CALL
})`
const asProperty = `const property = CALL
export default program('p', { properties: [property] }, function* () {
  yield* send(yield* self(), { kind: 'a' })
  yield* receive()
  return 1
})`
const inMonitor = `const property = monitor('m', { observes: ['a'] }, function* () {
  yield* receive()
  CALL
  yield* cold()
})
export default program('p', { properties: [property] }, function* () { yield* announce({ kind: 'a' }) })`
const inSystem = `const node = machine('node', {
  state: () => ({ count: 0 }),
  on: { add(state) { state.count = 1 } },
  requests: { go(state, to, { send }) { send(to, { kind: 'add' }) } },
})
const property = CALL
export default system('s', () => ({
  machines: { a: node.as(), b: node.as() },
  requests: { a: [['go', 'b']] },
  PROPERTIES: [property],
}))`
const asMachine = `const node = CALL
export default system('s', () => ({ machines: { a: node.as({}), b: node.as({}) }, requests: { a: [['go', 'b']] } }))`
const checked = `const p = program('p', function* () { yield* self() })
export default { checked: () => CALL }`
const history = 'export default { checked: () => CALL }'

const inHandler = `const node = machine('node', {
  state: () => ({ count: 0 }),
  on: { '*': () => {} },
  requests: { go(state, to, context) { CALL } },
  timers: { again() {} },
})
export default system('s', () => ({ machines: { a: node.as(), b: node.as() }, requests: { a: [['go', 'b']] } }))`
const handlerArguments: { readonly [name: string]: readonly Argument[] } = {
  setTimer: ["'again'", { milliseconds: '5' }],
  cancelTimer: ["'again'"],
  send: ["'b'", { kind: "'a'" }],
  choose: [['1', '2']],
  assert: ['true', "'message'"],
  announce: [{ kind: "'a'" }],
}

const body = 'function* () { yield* self() }'
const call = (called: string, args: readonly Argument[], around: string): ValidCall => ({ called, args, around })

export const validCalls: readonly ValidCall[] = [
  call('program', ["'p'", body], alone),
  call(
    'program',
    [
      "'p'",
      { params: { n: '2' }, network: "'fifo'", faults: { losses: '1' }, deadlock: "'error'", properties: [] },
      body,
    ],
    alone,
  ),
  call('program', ["'p'", { params: { n: 'every(2)' } }, body], alone),
  call('every', ['2', { from: '1' }], `export default program('p', { params: { n: CALL } }, ${body})`),
  call('monitor', ["'m'", { observes: ["'a'"] }, 'function* () { yield* receive() }'], asProperty),
  call('monitor', ["'m'", { observes: '() => true' }, 'function* () { yield* receive() }'], asProperty),
  call('yield* hot', ["'what is asked for'"], inMonitor),
  call('yield* cold', [], inMonitor),
  call('final', ["'f'", '() => true'], asProperty),
  call('final', ["'f'", '({ returned }) => returned.size > 0'], asProperty),
  call('yield* spawn', ["'a'", body], inMain),
  call('yield* spawn', ["'a'", { daemon: 'true', crashes: 'false' }, body, '1', '{ x: 2 }'], inMain),
  call('yield* spawnAll', ['2', "'a'", body], inMain),
  call('yield* spawnAll', ['2', "'a'", { daemon: 'true' }, body, '1'], inMain),
  call('yield* repeat', ['2', body], inMain),
  call('yield* choose', [['1', '2']], inMain),
  call('yield* assume', ['true'], inMain),
  call('yield* assert', ['true', "'message'"], inMain),
  call('yield* announce', [{ kind: "'a'" }], inMain),
  call('yield* self', [], inMain),
  call('yield* send', ['peer', { kind: "'a'" }], withPeer),
  call('yield* send', ['peer', { kind: "'a'" }, { network: "'bag'" }], withPeer),
  call('yield* poll', ["'a'", { from: 'peer' }], withPeer),
  call('yield* poll', ['() => true'], withPeer),
  call('yield* join', ["yield* spawn('a', function* () {})"], inMain),
  call(
    'yield* receive',
    ["'a'", { from: 'yield* self()' }],
    `export default program('p', function* () {
  yield* send(yield* self(), { kind: 'a' })
  CALL
})`,
  ),
  call('yield* atomic', ["'a'", '0'], inMain),
  call('yield* barrier', ["'a'", '1'], inMain),
  call('yield* channel', ["'a'", { capacity: '1' }], inMain),
  call('yield* mutex', ["'a'"], inMain),
  call('yield* oneshot', ["'a'"], inMain),
  call('yield* readWriteLock', ["'a'"], inMain),
  call('yield* semaphore', ["'a'", '1'], inMain),
  call('yield* timer', ["'a'"], inMain),
  call('invariant', ["'i'", '({ a }) => a.count < 2'], inSystem.replace('PROPERTIES', 'invariants')),
  call(
    'conflict',
    [
      "'c'",
      { each: '(state) => ({ count: state.count })', conflict: '(left, right) => left.count > 1 && right.count > 1' },
    ],
    inSystem.replace('PROPERTIES', 'invariants'),
  ),
  call('liveness', ["'l'", '() => true'], inSystem.replace('PROPERTIES', 'liveness')),
  call('eventually', ["'e'", '() => true'], inSystem.replace('PROPERTIES', 'liveness')),
  call('leadsTo', ["'t'", '({ a }) => a.count > 2', '() => true'], inSystem.replace('PROPERTIES', 'liveness')),
  call(
    'machine',
    [
      "'node'",
      {
        state: '() => ({ count: 0 })',
        start: '(state) => { state.count = 0 }',
        on: { add: '(state) => { state.count = 1 }' },
        requests: { go: "(state, to, { send }) => { send(to, { kind: 'add' }) }" },
        timers: { again: '() => {}' },
        durable: ["'count'"],
      },
    ],
    asMachine,
  ),
  call(
    'system',
    [
      "'s'",
      { params: { n: '1' }, network: "'bag'", faults: { losses: '1' } },
      "() => ({ machines: { a: machine('m', { state: () => ({}) }).as() }, requests: {}, invariants: [], liveness: [], monitors: [] })",
    ],
    alone,
  ),
  call(
    'made',
    [
      {
        machines: { a: "machine('m', { state: () => ({}), requests: { go() {} } }).as()" },
        requests: { a: [["'go'"]] },
        invariants: ["invariant('i', () => true)"],
        liveness: [],
        monitors: [],
      },
    ],
    "const made = (parts) => parts\nexport default system('s', () => CALL)",
  ),
  call('checkResult', ['p', { engine: "'dpor'", network: "'fifo'", time: "'5s'", maxExecutions: '100' }], checked),
  call(
    'checkResult',
    ['p', { memory: "'1gb'", seed: '1', keepGoing: 'true', deadlock: "'error'", maxSteps: '10' }],
    checked,
  ),
  call(
    'checkResult',
    ['p', { engine: "'random'", samples: '3', params: {}, faults: { crashes: '0' }, options: {} }],
    checked,
  ),
  call('checkResult', ['p', { engine: "'pct'", depth: '2', schedule: 'undefined', signal: 'undefined' }], checked),
  call('check', ['p', { allowIncomplete: 'true', engine: "'exhaustive'" }], checked),
  call(
    'checkHistory',
    [
      {
        calls: [
          {
            process: "'p'",
            operation: "'write'",
            args: ['1'],
            result: { kind: "'returned'", value: 'undefined' },
            invoked: '0',
            returned: '1',
          },
        ],
      },
      "specification({ name: 'cell', initial: 0, operations: ['write'], apply: (_, operation, [value]) => ({ state: value }) })",
      { witness: 'true', shortcuts: 'true', memory: '1000000', stride: '100' },
    ],
    history,
  ),
  call(
    'specification',
    [
      {
        name: "'cell'",
        initial: '0',
        operations: ["'write'"],
        apply: '(_, operation, [value]) => ({ state: value })',
        key: '(state) => String(state)',
        describe: '(state) => String(state)',
        observes: '() => false',
        partition: '() => undefined',
      },
    ],
    `const write = { process: 'p', operation: 'write', args: [1], result: { kind: 'unknown' }, invoked: 0, returned: 1 }
export default { checked: () => checkHistory({ calls: [write] }, CALL) }`,
  ),
  ...['setTimer', 'cancelTimer', 'send', 'choose', 'assert', 'announce'].map((name) =>
    call(`context.${name}`, handlerArguments[name] as readonly Argument[], inHandler),
  ),
]

/** Of classes, which are seen only in files. */
export const classCalls: readonly ValidCall[] = [
  call(
    'linearizable',
    [
      'Counter',
      {
        name: "'counter'",
        create: '() => new Counter()',
        operations: { increment: [], get: [] },
        readonly: ["'get'"],
        processes: '2',
        calls: '1',
        criterion: "'linearizable'",
        granularity: "'access'",
        deadlock: "'error'",
      },
    ],
    `export class Counter {
  count = 0
  increment() { this.count += 0 }
  get() { return this.count }
}
export default CALL`,
  ),
]
