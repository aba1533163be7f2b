import type { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { type MemberMessage, runPortfolio } from '../../../src/check/portfolio.ts'

const data = {
  path: 'x.ts',
  program: { name: 'X', origin: { kind: 'class', name: 'X', args: [] } },
  options: {},
} as const

/** A thread that does something else for each reduction: an answer, at once or after the other thread is over, or death. */
function worker(behaviour: { readonly safe: string; readonly lazy: string }): URL {
  const text = `
    import { parentPort, workerData } from 'node:worker_threads'
    const say = (verdict) =>
      parentPort.postMessage({ kind: 'done', result: { ok: true, value: { verdict, seconds: 0 } } })
    const sayLast = (verdict) => parentPort.once('message', () => say(verdict))
    const refuse = (code) => parentPort.postMessage({ kind: 'done', result: { ok: false, diagnostics: [{ code, message: code }] } })
    const verified = (clients) => ({ kind: 'verified', counts: { clients } })
    const incomplete = (clients) => ({ kind: 'incomplete', counts: { clients } })
    if (workerData.options.options.reduction === 'safe') { ${behaviour.safe} } else { ${behaviour.lazy} }
  `
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`)
}

async function verdictOf(behaviour: { readonly safe: string; readonly lazy: string }) {
  process.on('worker', tellsOthers)
  try {
    const result = await runPortfolio(data, { worker: worker(behaviour) })
    if (result === undefined) throw new Error('nobody interrupts it')
    return result.ok ? result.value.verdict : result.diagnostics.map(({ code }) => code)
  } finally {
    process.off('worker', tellsOthers)
    threads.clear()
  }
}

const threads = new Set<Worker>()

/** Once a thread has answered or died, the others hear of it; the portfolio has heard of it then. */
function tellsOthers(thread: Worker): void {
  threads.add(thread)
  const tell = (): void => {
    for (const other of threads) if (other !== thread) other.postMessage('the other is over')
  }
  thread.on('message', tell)
  thread.on('error', tell)
}

describe('a portfolio', () => {
  test('answers with the first complete answer and does not wait for the other', async () => {
    const never = 'setInterval(() => {}, 1000)'
    expect(await verdictOf({ safe: never, lazy: 'say(verified(7))' })).toMatchObject({ counts: { clients: 7 } })
    expect(await verdictOf({ safe: 'say(verified(3))', lazy: never })).toMatchObject({ counts: { clients: 3 } })
  })

  test('does not take an incomplete answer while the other may still be complete', async () => {
    const found = await verdictOf({ safe: 'say(incomplete(9))', lazy: 'sayLast(verified(7))' })
    expect(found).toMatchObject({ kind: 'verified' })
  })

  test('of incomplete answers takes the one that covers more', async () => {
    const found = await verdictOf({ safe: 'say(incomplete(9))', lazy: 'sayLast(incomplete(2))' })
    expect(found).toMatchObject({ kind: 'incomplete', counts: { clients: 9 } })
  })

  test('goes on with one thread when the other dies', async () => {
    const found = await verdictOf({ safe: "throw new Error('dead')", lazy: 'sayLast(verified(7))' })
    expect(found).toMatchObject({ kind: 'verified' })
  })

  test('gives the diagnostic when nobody has an answer', async () => {
    expect(await verdictOf({ safe: "refuse('E209')", lazy: "throw new Error('dead')" })).toEqual(['E209'])
  })

  test('fails when both die', async () => {
    const dies = "throw new Error('dead')"
    await expect(verdictOf({ safe: dies, lazy: dies })).rejects.toThrow('dead')
  })

  test('tells threads that have begun to stop when it is interrupted', async () => {
    const controller = new AbortController()
    const stops = "parentPort.on('message', () => say(incomplete(1))); parentPort.postMessage({ kind: 'begun' })"
    const asked = { worker: worker({ safe: stops, lazy: stops }), signal: controller.signal, patience: 60_000 }
    let begun = 0
    const abort = (thread: Worker): void => {
      thread.on('message', ({ kind }: MemberMessage) => {
        if (kind === 'begun' && ++begun === 2) controller.abort()
      })
    }
    process.on('worker', abort)
    expect(await runPortfolio(data, asked)).toMatchObject({ ok: true, value: { verdict: { kind: 'incomplete' } } })
    process.off('worker', abort)
  })

  const deaf = worker({ safe: 'setInterval(() => {}, 1000)', lazy: 'setInterval(() => {}, 1000)' })

  test('does not wait for threads that have not begun when it is interrupted', async () => {
    const controller = new AbortController()
    const result = runPortfolio(data, { worker: deaf, signal: controller.signal, patience: 60_000 })
    controller.abort()
    expect(await result).toBeUndefined()
    expect(await runPortfolio(data, { worker: deaf, signal: AbortSignal.abort() })).toBeUndefined()
  })

  test('does not wait for threads that have not begun when its time is over', async () => {
    const timed = { ...data, options: { time: 1 } }
    expect(await runPortfolio(timed, { worker: deaf, patience: 60_000 })).toBeUndefined()
  })
})
