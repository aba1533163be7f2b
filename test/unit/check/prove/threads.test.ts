/** Where there is no proof, small sizes are explored by as many threads as were asked for, and say what one thread says. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import type { Threads } from '../../../../src/check/drive.ts'
import { loadPrograms } from '../../../../src/check/load.ts'
import { proveProgram } from '../../../../src/check/prove/prove.ts'
import type { CheckOptions } from '../../../../src/check/request.ts'
import { orThrow } from '../../../../src/core/diagnostic.ts'
import { long } from '../../../amount.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-sizes-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** How the loop ends depends on how often it went round, which no proof is found for. */
const path = join(folder, 'sends.check.ts')
writeFileSync(
  path,
  `import { every, program, receive, self, send, spawnAll } from 'allways'

export default program('sends', { params: { clients: every(2) } }, function* ({ clients }) {
  const main = yield* self<number>()
  yield* spawnAll(clients, 'client', function* () {
    for (let sent = 0; sent < 3; sent++) yield* send(main, sent)
  })
  for (let left = 3 * clients; left > 0; left--) yield* receive<number>()
})
`,
)

test('sizes are explored by several threads', long, async () => {
  const { programs, digest } = orThrow(await loadPrograms(path))
  const { program, exportName } = programs[0] as (typeof programs)[number]
  const asked: Omit<CheckOptions, 'signal'>[] = []
  const threads = (options: Omit<CheckOptions, 'signal'>): Threads => {
    asked.push(options)
    const named = { program: { name: program.name, origin: undefined }, exportName, legacy: false }
    return { path, ...named, digest, options, after: 0 }
  }
  const bounded = async (workers: number) => {
    const found = await proveProgram(program, { milliseconds: 60_000, now: () => performance.now(), workers, threads })
    const [proof] = orThrow(found).checked.verdict.evidence
    return proof?.kind === 'proof' ? proof.bounded : undefined
  }
  const started: Worker[] = []
  const listen = (thread: Worker) => void started.push(thread)
  process.on('worker', listen)
  try {
    const alone = await bounded(1)
    expect({ alone, started: started.length }).toMatchObject({
      alone: { executions: 1_702, unfinished: [] },
      started: 0,
    })
    expect(await bounded(2)).toEqual(alone)
    expect(started.length).toBeGreaterThan(0)
    expect(asked.map(({ params, workers }) => [params?.clients, workers])).toEqual(
      [1, 2].flatMap((workers) => [0, 1, 2, 3].map((clients) => [clients, workers])),
    )
  } finally {
    process.off('worker', listen)
  }
})
