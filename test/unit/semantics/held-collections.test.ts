/** Maps and Sets of messages cannot be changed unnoticed, whatever way there is around the closing of them. */
import { describe, expect, test } from 'vitest'
import { type Address, checkResult, type Program, program, receive, self, send, spawn } from '../../../src/index.ts'

type Held = Map<string, number>

/** The sender looks at the map again, after a receiver has had it. */
function passing(make: () => Held, change: (map: Held) => void): Program {
  return program('passing', function* () {
    const own = yield* self<string>()
    const map = make()
    const other = yield* spawn('other', receiver, own)
    yield* send(other, { map })
    yield* receive<string>()
    return map.size
  })
  function* receiver(main: Address<string>) {
    const { map } = yield* receive<{ readonly map: Held }>()
    change(map)
    yield* send(main, 'done')
  }
}

const made = () => new Map([['a', 1]])
const changed = {
  ok: false,
  diagnostics: [{ code: 'E230', message: 'process "other" changed a Map or Set that was in a message' }],
}

describe.each(['dpor', 'exhaustive', 'random', 'stateful'])('%s notices', (engine) => {
  test.each<readonly [string, () => Held, (map: Held) => void]>([
    ['a method of the prototype', made, (map) => Map.prototype.set.call(map, 'b', 2)],
    ['another value of the same size', made, (map) => Map.prototype.set.call(map, 'a', 2)],
    ['a Map that was frozen before it was sent', () => Object.freeze(made()), (map) => map.set('b', 2)],
  ])('%s', async (_, make, change) => {
    expect(await checkResult(passing(make, change), { engine })).toMatchObject(changed)
  })

  test('nothing where a copy is changed', async () => {
    const copied = passing(made, (map) => new Map(map).set('b', 2))
    expect(await checkResult(copied, { engine })).toMatchObject({ ok: true })
  })
})
