/** Whatever looks like a value and is none is refused wherever it may enter, by every engine. */
import { describe, expect, test } from 'vitest'
import {
  announce,
  checkResult,
  final,
  join,
  machine,
  type Program,
  program,
  receive,
  refines,
  self,
  send,
  spawn,
  specification,
  system,
} from '../../../src/index.ts'
import { unusual } from '../core/unusual-values.ts'

const processEngines = ['dpor', 'exhaustive', 'random', 'pct', 'stateful']
const machineEngines = [...processEngines, 'local']

type Make = () => object

function requested(handler: (state: { part?: object }, _: undefined, context: never) => unknown): Program {
  const m = machine('m', { state: () => ({}), requests: { go: handler as never }, on: { x() {} } } as never) as never
  return system('s', { faults: {} }, () => ({
    machines: { a: (m as { as(): never }).as() },
    requests: { a: [['go']] },
  })) as Program
}

const ways: readonly [name: string, code: string, engines: readonly string[], of: (make: Make) => Program][] = [
  [
    'a message',
    'E205',
    processEngines,
    (make) =>
      program('p', function* () {
        yield* send(yield* self<object>(), make())
        yield* receive<object>()
      }),
  ],
  [
    'a result',
    'E205',
    processEngines,
    (make) =>
      program('p', { properties: [final('f', () => true)] }, function* () {
        const a = yield* spawn('a', function* () {
          return make()
        })
        yield* join(a)
      }),
  ],
  [
    'a state that is changed',
    'E224',
    machineEngines,
    (make) =>
      requested((state) => {
        state.part = make()
      }),
  ],
  ['a state that is returned', 'E224', machineEngines, (make) => requested(() => ({ part: make() }))],
  [
    'a state at the beginning',
    'E224',
    machineEngines,
    (make) => {
      const m = machine('m', { state: () => ({ part: make() as never }), on: {} })
      return system('s', () => ({ machines: { a: m.as() } })) as Program
    },
  ],
  [
    'a message of a machine',
    'E205',
    machineEngines,
    (make) =>
      requested((_, __, context: { send(to: string, message: object): void }) =>
        context.send('a', { kind: 'x', part: make() }),
      ),
  ],
  [
    'what a machine announces',
    'E205',
    machineEngines,
    (make) =>
      requested((_, __, context: { announce(event: object): void }) => context.announce({ kind: 'x', part: make() })),
  ],
  [
    'the state of a specification',
    'E107',
    ['dpor', 'exhaustive'],
    (make) => {
      const r = specification('r', { state: {}, operations: { w: () => ({ part: make() }) } } as never)
      return program('p', { properties: [refines(r as never)] }, function* () {
        yield* announce((r as unknown as { w(fields: object): object }).w({}))
      })
    },
  ],
]

describe.each(ways)('%s', (_, code, engines, of) => {
  test.each(unusual)('that is $name is refused', async ({ make, problem }) => {
    for (const engine of engines) {
      const result = await checkResult(of(make), { engine })
      const message = expect.stringContaining(problem.found)
      expect(result, engine).toMatchObject({ ok: false, diagnostics: [{ code, message }] })
    }
  })
})
