/**
 * Hostile programs: what a worker does to its variables decides what it asks for and what it tells in the end. Main serves a
 * sequence of questions and asserts a value; both are drawn near what really happens, so that a wrong reading is a wrong verdict.
 */
import { Random } from '../../src/core/random.ts'
import type { Draft, Variable } from './expressions.ts'
import { imports } from './loaded.ts'
import { type Happened, happened } from './probe.ts'
import { beginning, probed, type Statement, shorter, statements, statementText } from './statements.ts'

/** `asks`: a worker of many that main serves; `counts`: one that goes on as long as the size says; `gathers`: main itself. */
type Shape = 'asks' | 'counts' | 'gathers'

export interface Sketch {
  readonly seed: number
  readonly shape: Shape
  readonly body: readonly Statement[]
  /** In `counts` and `gathers`: what is done in each round. */
  readonly round: readonly Statement[]
  readonly value: string
  readonly asks: readonly string[]
  readonly isAsync: boolean
  /** In `counts`: how the worker and main count; in `gathers`: how main goes through its processes, and comes by them. */
  readonly way: Way
  /** Without a parameter, of size 2. */
  readonly isFixed: boolean
}

interface Way {
  readonly told: string
  readonly taken: string
  readonly members: string
  readonly spawned: string
}

/** By how many rounds they are, for n processes. */
const counts: readonly (readonly string[])[] = [
  ['i = 0; i < n', 'i = 1; i <= n', 'i = 0; i <= n - 1', 'i = 1; i < n + 1'],
  ['i = 0; i < n - 1', 'i = 1; i < n', 'i = 2; i <= n'],
  ['i = 0; i <= n', 'i = 0; i < n + 1', 'i = 1; i <= n + 1'],
]

function way(random: Random): Way {
  const rounds = random.pick([counts[0], counts[1], counts[2]]) as readonly string[]
  const others = random.below(4) === 0 ? counts.flat() : rounds
  return {
    told: random.pick(rounds),
    taken: random.pick(others),
    members: random.pick([
      'for (const one of all) {',
      'for (let i = 0; i < all.length; i++) {\n    const one = all[i]',
      'for (let i = 0; i < all.length; i++) {\n    const one = all.at(i)',
    ]),
    spawned: random.pick(['set', 'set', 'list', 'numbered']),
  }
}

const helpers = `const twice = (value) => value * 2
const orOne = (value = 1) => value
const identity = (value) => value
function setX(target, value) {
  target.x = value
}
function* raise(target) {
  target.x += 1
  yield* send(yield* self(), { kind: 'raised' })
  yield* receive('raised')
}
function* ask(server, kind) {
  yield* send(server, { kind })
  const { value } = yield* receive('answer')
  return value
}`

/** What main answers, by kind. */
export const answers: { readonly [kind: string]: number } = { k1: 1, k2: 2, k3: 0, k4: 3 }

export function sketch(seed: number): Sketch {
  const random = new Random(seed)
  const shape = random.pick<Shape>(['asks', 'asks', 'asks', 'counts', 'gathers'])
  const asks: string[] = []
  const scope: Variable[] = []
  const draft: Draft = { random, scope, asks: shape === 'asks' ? asks : undefined, names: 0, isPlain: false }
  const body = [...beginning(draft), ...statements(draft, few(random, shape === 'asks' ? 1 : 0))]
  if (shape === 'counts') scope.push({ name: 'i', type: 'number', isConstant: false })
  if (shape === 'gathers') scope.push({ name: 'got', type: 'number', isConstant: true })
  const before = scope.length
  const round = shape === 'asks' ? [] : statements(draft, few(random, 1))
  scope.length = shape === 'asks' ? before : before - 1
  const value = probed(draft)
  const isAsync = random.below(6) === 0
  return { seed, shape, body, round, value, asks, isAsync, way: way(random), isFixed: random.below(6) === 0 }
}

/** Most often the least: what is refused hides what is misread beside it. */
function few(random: Random, least: number): number {
  return least + random.pick([0, 0, 0, 1, 1, 2, 3])
}

/** As a check file; nothing if the worker fails or goes on for ever, or nothing can be said about its value. */
export function programText(one: Sketch): string | undefined {
  const performing = performed(one)
  const truth = happened(`${helpers}\n${performing}`, one.shape)
  if (truth === undefined) return undefined
  const random = new Random(one.seed ^ 0x5bd1e995)
  // One thing is wrong at most: what is served, or else what is asserted.
  const served = random.below(2) === 0 ? truth.asked : otherwise(one, truth, random)
  const isServed = served.join() === truth.asked.join()
  const asserted = `yield* assert(value ${isServed && random.below(3) > 0 ? '!==' : '==='} ${truth.value})`
  const main = mains[one.shape](one, asserted, served)
  const text = [helpers, performing, main].filter((part) => part !== '').join('\n\n')
  return `${imports}${one.isAsync ? awaiting(text) : text}\n`
}

/** Programs with a statement less. */
export function smaller(one: Sketch): readonly Sketch[] {
  return [
    ...shorter(one.body).map((body) => ({ ...one, body })),
    ...shorter(one.round).map((round) => ({ ...one, round })),
    ...(one.isAsync ? [{ ...one, isAsync: false }] : []),
    ...(one.isFixed ? [{ ...one, isFixed: false }] : []),
  ]
}

/** Another sequence of questions: what the text asks from top to bottom, one less, in another order, or none. */
function otherwise({ asks }: Sketch, { asked }: Happened, random: Random): readonly string[] {
  return random.pick([asks, asks, asks, asked.slice(1), random.shuffle(asks), []])
}

function performed({ shape, body, round, value, way: { told, members } }: Sketch): string {
  const block = (list: readonly Statement[], indent: string): string =>
    list.map((one) => statementText(one, indent)).join('\n')
  switch (shape) {
    case 'asks':
      return `function* worker(main) {\n${block(body, '  ')}\n  yield* send(main, { kind: 'done', value: ${value} })\n}`
    case 'counts':
      return `function* worker(main, n) {
${block(body, '  ')}
  for (let ${told}; i++) {
    yield* send(main, { kind: 'tick' })
${block(round, '    ')}
  }
  yield* send(main, { kind: 'done', value: ${value} })
}`
    case 'gathers':
      return `function* gather(all) {
${block(body, '  ')}
  ${members}
    const { got } = yield* receive('part', { from: one })
${block(round, '    ')}
  }
  return ${value}
}`
  }
}

function head({ isFixed }: Sketch): string {
  if (isFixed) return "export default program('p', function* () {\n  const n = 2"
  return `export default program('p', { params: { n: every(2) } }, function* ({ n }) {`
}

type Main = (one: Sketch, asserted: string, served: readonly string[]) => string

const mains: { readonly [shape in Shape]: Main } = {
  asks: (sketched, asserted, served) => `${head(sketched)}
  const all = yield* spawnAll(n, 'worker', worker, yield* self())
  for (const one of all) {
${served.map((kind) => `    yield* receive('${kind}', { from: one })\n    yield* send(one, { kind: 'answer', value: ${answers[kind]} })\n`).join('')}    const { value } = yield* receive('done', { from: one })
    ${asserted}
  }
})`,
  counts: (sketched, asserted) => `${head(sketched)}
  const one = yield* spawn('worker', worker, yield* self(), n)
  for (let ${sketched.way.taken}; i++) yield* receive('tick', { from: one })
  const { value } = yield* receive('done', { from: one })
  if (n === 2) ${asserted}
})`,
  gathers: (sketched, asserted) => `${head(sketched)}
${spawnedBy(sketched)}
  const value = yield* gather(all)
  if (n === 2) ${asserted}
})`,
}

function spawnedBy({ way: { spawned } }: Sketch): string {
  const body = `function* (main) {
    yield* send(main, { kind: 'part', got: 1 })
  }, yield* self())`
  if (spawned === 'set') return `  const all = yield* spawnAll(n, 'worker', ${body}`
  const name = spawned === 'list' ? "'worker'" : `\`worker \${i}\``
  return `  const all = []\n  for (let i = 0; i < n; i++) all.push(yield* spawn(${name}, ${body})`
}

/** The same with async processes. */
function awaiting(text: string): string {
  return text.replaceAll('yield* ', 'await ').replaceAll('function* ', 'async function ')
}
