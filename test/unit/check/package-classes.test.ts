/** Classes over packages: what a package keeps is seen and undone, and a copy without its guard is found out. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { checkResult } from '../../../src/check/check.ts'
import type { ClientCounterexample } from '../../../src/core/evidence.ts'
import { cut, longIf, oneIn } from '../../amount.ts'

const installed = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'allways-packages-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A counter behind something that lets one in at a time. The line that writes is the last but one of its method. */
const counter = (guard: string, run: string) => `
class Counter {
  n = 0
  ${guard}
  inc() {
    return ${run}(async () => {
      const n = this.n
      await null
      this.n = n + 1
      return n + 1
    })
  }
}
export default linearizable(Counter, { operations: { inc: [] }, processes: 2, calls: 1 })`

interface Guarding {
  readonly name: string
  /** What it depends on. */
  readonly others?: readonly string[]
  readonly source: string
  /** A place in a file of the package, and what stands there in the copy without a guard. */
  readonly file: string
  readonly from: string
  readonly to: string
}

const guards: readonly Guarding[] = [
  {
    name: 'p-limit',
    others: ['yocto-queue'],
    source: `import pLimit from 'p-limit'${counter('limit = pLimit(1)', 'this.limit')}`,
    file: 'index.js',
    from: 'const queue = new Queue();',
    to: 'const queue = new Queue(); concurrency += 1;',
  },
  {
    name: 'p-queue',
    others: ['eventemitter3', 'p-timeout'],
    source: `import PQueue from 'p-queue'${counter('queue = new PQueue({ concurrency: 1 })', 'this.queue.add')}`,
    file: 'dist/index.js',
    from: 'return this.#pending < this.#concurrency;',
    to: 'return true;',
  },
  {
    name: 'async-mutex',
    others: ['tslib'],
    source: `import { Mutex } from 'async-mutex'${counter('lock = new Mutex()', 'this.lock.runExclusive')}`,
    file: 'index.mjs',
    from: 'if (i === -1 && weight <= this._value) {',
    to: 'if (i === -1) {',
  },
  {
    name: 'async-lock',
    source: `import AsyncLock from 'async-lock'${counter('lock = new AsyncLock()', "this.lock.acquire('n', ")}`.replace(
      "acquire('n', (async",
      "acquire('n', async",
    ),
    file: 'lib/index.js',
    from: 'if (!self.queues[key]) {\n\t\tself.queues[key] = [];',
    to: 'if (true) {\n\t\tself.queues[key] = [];',
  },
  {
    name: 'generic-pool',
    source: `import { createPool } from 'generic-pool'${counter(
      'pool = createPool({ create: async () => ({}), destroy: async () => {} }, { max: 1 })',
      'this.pool.use',
    )}`,
    file: 'lib/Pool.js',
    from: 'this._config.max -',
    to: '2 -',
  },
]

/** State in a package, used rightly and wrongly: a step comes between reading and writing. */
const stores = [
  {
    name: 'lru-cache',
    source: "import { LRUCache } from 'lru-cache'",
    field: 'store = new LRUCache<string, number>({ max: 2 })',
  },
  {
    name: 'quick-lru',
    source: "import QuickLRU from 'quick-lru'",
    field: 'store = new QuickLRU<string, number>({ maxSize: 2 })',
  },
] as const

const storing = ({ source, field }: (typeof stores)[number], wait: string) => `${source}
class Counter {
  ${field}
  async inc(key: string) {
    const n = this.store.get(key) ?? 0
    ${wait}
    this.store.set(key, n + 1)
    return n + 1
  }
}
export default linearizable(Counter, { operations: { inc: ['a', 'b'] }, processes: 2, calls: 1 })`

const queueing = (wait: string) => `import Queue from 'yocto-queue'
class Jobs {
  queue = new Queue<number>()
  constructor() { this.queue.enqueue(1) }
  async take() {
    if (this.queue.size === 0) return 'none'
    ${wait}
    return this.queue.dequeue() ?? 'gone'
  }
}
export default linearizable(Jobs, { operations: { take: [] }, processes: 2, calls: 1 })`

const loading = (wait: string) => `import DataLoader from 'dataloader'
class Users {
  keys: readonly number[] = []
  loader = new DataLoader<number, number>(async (keys) => {
    this.keys = keys
    ${wait}
    return this.keys.map((key) => key * 10)
  }, { cache: false, maxBatchSize: 1 })
  async user(id: number) {
    return await this.loader.load(id)
  }
}
export default linearizable(Users, { operations: { user: [1, 2] }, processes: 2, calls: 1 })`

interface Case {
  readonly name: string
  readonly source: string
  readonly packages: readonly string[]
  readonly changed?: Guarding | undefined
}

let cases = 0

/** The verdict, with the lines of the class that its steps are at. */
async function checked({ source, packages, changed }: Case): Promise<readonly [string, readonly number[]]> {
  const own = join(folder, `case${cases++}`)
  for (const name of packages) cpSync(join(installed, name), join(own, 'node_modules', name), { recursive: true })
  if (changed !== undefined) {
    const path = join(own, 'node_modules', changed.name, changed.file)
    const text = readFileSync(path, 'utf8')
    expect(text.split(changed.from), changed.name).toHaveLength(2)
    writeFileSync(path, text.replace(changed.from, changed.to))
  }
  mkdirSync(own, { recursive: true })
  const file = join(own, 'counter.check.ts')
  writeFileSync(file, `import { linearizable } from 'allways'; ${source}\n`)
  const result = await checkResult(file, { time: 60_000, causes: false })
  if (!result.ok) return [JSON.stringify(result.diagnostics), []]
  const lines = result.value.evidence.flatMap((one) =>
    one.kind === 'execution' && 'client' in one ? linesOf(one as unknown as ClientCounterexample) : [],
  )
  return [result.value.kind, lines]
}

function linesOf({ client }: ClientCounterexample): readonly number[] {
  return client.steps.flatMap(({ site, inside = [] }) =>
    [site, ...inside.map((one) => one.site)].map((one) => one?.line ?? 0),
  )
}

describe('with the package the class is correct, and without its guard not', cut, () => {
  test.each(oneIn(3, guards))('$name', async (guard) => {
    const packages = [guard.name, ...(guard.others ?? [])]
    expect((await checked({ name: guard.name, source: guard.source, packages }))[0]).toBe('verified')
    const [kind, lines] = await checked({ name: guard.name, source: guard.source, packages, changed: guard })
    expect(kind).toBe('violated')
    const written = guard.source.split('\n').findIndex((line) => line.includes('this.n = n + 1')) + 1
    expect(lines).toContain(written)
  })
})

describe('what a package keeps is state', cut, () => {
  const texts = [
    ...stores.map((store) => [store.name, (wait: string) => storing(store, wait)] as const),
    ['yocto-queue', queueing] as const,
  ]
  test.each(texts)('%s', async (name, text) => {
    expect(await checked({ name, source: text(''), packages: [name] })).toEqual(['verified', []])
    expect((await checked({ name, source: text('await null'), packages: [name] }))[0]).toBe('violated')
  })

  test('dataloader', longIf(true, true), async () => {
    const packages = ['dataloader']
    expect((await checked({ name: 'dataloader', source: loading(''), packages }))[0]).toBe('verified')
    expect((await checked({ name: 'dataloader', source: loading('await null'), packages }))[0]).toBe('violated')
  })
})
