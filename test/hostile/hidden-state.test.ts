/** What a class keeps is seen, compared and taken back wherever it keeps it, or refused with a place: Node is the oracle. */
import { expect, test } from 'vitest'
import { guardDeterminism } from '../../src/check/guard.ts'
import type { LoadedObjects } from '../../src/check/objects/load.ts'
import { DiagnosticError } from '../../src/core/diagnostic.ts'
import { oracleOf } from '../agreement/async-classes/node-oracle.ts'
import { loadText, requestOf } from '../agreement/object-agreement.ts'
import { clientOf, search } from '../agreement/object-search.ts'
import { cut, oneIn } from '../amount.ts'
import { type HiddenState, hiddenStates } from './hidden-state.ts'

/** Two write, in either order, and one looks: with what was done by then, which states alone can tell apart, and without. */
const inOrder = (name: string, looks: string) => (wait: string) =>
  `class ${name} { own = new Hidden(); done = 0
  async set() { ${wait}; const given = this.own.set(); this.done++; ${wait}; return given }
  async put() { ${wait}; const given = this.own.put(); this.done++; ${wait}; return given }
  async look() { ${wait}; const given = this.own.look(); return ${looks} } }`

const counting = inOrder('Counting', "[given, this.done].join(' after ')")
const plain = inOrder('Plain', 'given')

const clients = [
  { of: 'Hidden', client: [['set'], ['put'], ['look', 'look']], reductions: ['lazy'] },
  { of: 'Plain', client: [['set'], ['put'], ['look']], reductions: ['lazy'] },
  { of: 'Counting', client: [['set'], ['put'], ['look']], reductions: ['lazy', 'none'] },
] as const

function sourceOf({ head, members }: HiddenState, wait: string): string {
  const classes = `${head}\nclass Hidden { ${members} }\n${counting(wait)}\n${plain(wait)}`
  return classes.replaceAll('PAUSE', wait)
}

async function inNode(state: HiddenState): Promise<readonly (readonly string[] | undefined)[]> {
  const source = sourceOf(state, 'await $.later(undefined)')
  const text = source.replace(/import (\{.*\}) from '(.*)'/, "const $1 = process.getBuiltinModule('$2')")
  const found = clients.map(({ of, client }) =>
    oracleOf({ text: `(() => { ${text}; return ${of} })()`, client }, 20_000),
  )
  return (await Promise.all(found)).map((oracle) => oracle?.outcomes)
}

const written = (outcome: string) =>
  outcome.replace(/(^|[ ])([tf])(?=$|[ ;])/g, (_, before, value) => `${before}${value === 't'}`)

async function underCheck(state: HiddenState) {
  const loaded = await loadText(`${sourceOf(state, 'await undefined')}\nexport { Hidden, Plain, Counting }`)
  const release = guardDeterminism()
  try {
    return searched(loaded)
  } finally {
    release()
  }
}

function searched(loaded: LoadedObjects) {
  return clients.flatMap(({ of, client, reductions }, at) =>
    reductions.map((reduction) => {
      const words = client.map((calls) => `{ ${calls.map((one) => `${one}()`).join('; ')} }`).join(' || ')
      const setting = { reduction, static: reduction === 'lazy', stateless: false, order: 'sequential' }
      const request = { ...requestOf(loaded, of, words), granularity: 'await' as const }
      const found = search(request, clientOf(words), setting as never)
      return { at, outcomes: found.kind === 'ended' ? found.endings.outcomes.map(written).sort() : [found.kind] }
    }),
  )
}

/** Nothing if the class is refused. */
async function refusalOr<T>(check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check()
  } catch (error) {
    // Of what is refused when a file is loaded, the diagnostics are the message.
    const text = error instanceof DiagnosticError ? JSON.stringify(error.diagnostic) : (error as Error).message
    if (!/"code":"E30[57]"/.test(text)) throw error
    return undefined
  }
}

test.each(
  oneIn(
    16,
    hiddenStates.map((state) => [state.name, state] as const),
  ),
)('%s', cut, async (_, state) => {
  const found = await refusalOr(() => underCheck(state))
  if (found === undefined) return
  const expected = await inNode(state)
  for (const { at, outcomes } of found) expect(outcomes).toEqual([...(expected[at] ?? [])].sort())
})

const refusedNames = [
  'private fields stamped on an object of the state',
  'a WeakMap that a static block makes',
  'a proxy with traps',
  'fields of Math',
  'a method replaced on the prototype',
  'the prototype of an object, by its name',
  'what the last expression matched',
]

test.each(refusedNames)('refused: %s', async (name) => {
  const state = hiddenStates.find((one) => one.name === name)
  if (state === undefined) throw new Error(`no ${name}`)
  expect(await refusalOr(() => underCheck(state))).toBeUndefined()
})
