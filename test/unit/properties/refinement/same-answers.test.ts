/** Operations that remember something: whichever engine asks, and however often, the check refuses them. */
import {
  announce,
  checkResult,
  machine,
  type Program,
  program,
  refines,
  refuse,
  spawn,
  specification,
  system,
} from 'allways'
import { expect, test } from 'vitest'

type Refusal = ReturnType<typeof refuse>
type Answer = (log: readonly number[], item: number) => readonly number[] | Refusal

/** What an operation answers, of a class of mistakes; each time a new one. */
const remembering: { readonly [name: string]: () => Answer } = {
  'refuses every second time': () => {
    let asked = 0
    return (log, item) => (++asked % 2 === 0 ? refuse('every second call') : [...log, item])
  },
  'allows every second time': () => {
    let asked = 0
    return (log, item) => (++asked % 2 === 1 ? refuse('every second call') : [...log, item])
  },
  'refuses what it has seen': () => {
    const seen = new Set<string>()
    return (log, item) => {
      const text = [...log, item].join()
      if (seen.has(text)) return refuse('again')
      seen.add(text)
      return [...log, item]
    }
  },
  'counts what it has seen': () => {
    const seen = new Set<number>()
    return (log, item) => [...log, seen.add(item).size]
  },
}

function made(operation: Answer) {
  const state: { items: readonly number[] } = { items: [] }
  return specification('log', {
    state,
    operations: {
      append({ items }: typeof state, { item }: { readonly item: number }) {
        const answer = operation(items, item)
        return Array.isArray(answer) ? { items: answer } : (answer as Refusal)
      },
    },
  })
}

function processes(operation: Answer): Program {
  const log = made(operation)
  return program('processes', { properties: [refines(log)] }, function* () {
    for (const item of [1, 2, 3])
      yield* spawn(`p${item}`, function* () {
        yield* announce(log.append({ item }))
      })
  })
}

function machines(operation: Answer): Program {
  const log = made(operation)
  const one = machine('one', {
    state: () => ({ count: 0 }),
    requests: {
      go: (state, _: unknown, context) => {
        state.count++
        context.announce(log.append({ item: state.count }))
      },
    },
  })
  return system('machines', { faults: {} }, () => ({
    machines: { a: one.as(), b: one.as() },
    requests: { a: [['go']], b: [['go'], ['go']] },
    properties: [refines(log)],
  }))
}

const kinds = [
  ['processes', processes, ['dpor', 'exhaustive', 'random']],
  ['machines', machines, ['stateful', 'dpor', 'exhaustive', 'random']],
] as const

for (const [kind, of, engines] of kinds)
  for (const [name, operation] of Object.entries(remembering))
    test.each(engines)(`an operation that ${name} is refused, of ${kind}, by %s`, async (engine) => {
      const samples = engine === 'random' ? { samples: 100 } : {}
      const result = await checkResult(of(operation()), { engine, ...samples })
      expect(result).toMatchObject({ ok: false, diagnostics: [{ code: 'E227' }] })
    })

test('one that does not is asked no more than it must be', async () => {
  for (const [, of, engines] of kinds) {
    const plain: Answer = (log, item) => (log.length > 5 ? refuse('full') : [...log, item])
    for (const engine of engines) {
      const samples = engine === 'random' ? { samples: 100 } : {}
      expect(await checkResult(of(plain), { engine, ...samples })).toMatchObject({ ok: true })
    }
  }
})
