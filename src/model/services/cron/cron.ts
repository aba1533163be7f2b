/**
 * A job that is started at every tick of a clock. A tick comes at any moment, so runs overlap, unless ticks are skipped while the one
 * before still runs. At least once: a tick starts the job a second time as often as there are `duplicates` in the budget of faults, and
 * nothing keeps these two apart.
 */
import { type CompositeOperation, repeatable } from '../../../core/operation.ts'
import { checkShape, isFunction, needed, oneOf, type Shapes, shapes } from '../../../core/option-shape.ts'
import { mistake, running } from '../../../core/running.ts'
import { takingOnly } from '../../../core/taking-only.ts'
import { Address } from '../../../core/value.ts'
import { describe } from '../../describe.ts'
import { choose, join, self, sendMarked, spawn } from '../../process.ts'
import { asking, created, Handle, nextRequest, passOn, reply, type Steps, withoutPlace } from '../../shared/protocol.ts'

const overlaps = ['allowed', 'skipped'] as const

export interface CronOptions {
  /** How often the clock ticks in one execution. */
  readonly ticks: number
  /** What becomes of a tick while the run before goes on. */
  readonly overlap: (typeof overlaps)[number]
  /** As reports call it. */
  readonly name?: string
}

const cronShapes: Shapes<CronOptions> = {
  ticks: needed(shapes.count),
  overlap: needed(oneOf(...overlaps)),
  name: shapes.text,
}

/** Is given the number of the tick, from 1, and what was given to `cron` beside. */
export type CronJob<Args extends readonly unknown[]> = (
  tick: number,
  ...args: Args
) => Promise<unknown> | Generator<unknown, unknown, unknown>

/** A handle: it may be an argument of a process, and a part of a message. */
export class Cron extends Handle {
  /** Waits until the clock has ticked for the last time and all runs have ended. */
  end(): CompositeOperation<void> {
    return asking(this, { kind: 'cron.end' }, `the runs of "${this.id}"`)
  }
}

takingOnly(Cron, 'cron', { end: '' })

/** Starts the job at every tick. */
export function cron<Args extends readonly unknown[]>(
  options: CronOptions,
  job: CronJob<Args>,
  ...args: Args
): CompositeOperation<Cron> {
  checkShape(options, cronShapes, { of: 'cron(…)' })
  if (!isFunction(job)) refuseJob(job)
  const { ticks, overlap, name = 'cron' } = options
  return created<Cron, [Parts, CronJob<Args>, ...Args]>(Cron, name, serve, { ticks, overlap }, job, ...args)
}

type Parts = Required<Pick<CronOptions, 'ticks' | 'overlap'>>

interface Tick {
  readonly kind: 'tick' | 'last tick'
  readonly tick: number
}

function* serve<Args extends readonly unknown[]>(parts: Parts, job: CronJob<Args>, ...args: Args): Steps<void> {
  const { ticks, overlap } = parts
  const own = yield* self()
  running.assumed.push(
    `cron "${own.id}" ticks ${ticks} times, each at any moment; ` +
      `${overlap === 'allowed' ? 'runs overlap' : 'a tick is skipped while the run before goes on'}, ` +
      'and a tick starts two as often as there are duplicates in the budget of faults',
  )
  yield* withoutPlace(spawn('clock', { daemon: true, crashes: false }, tickOften, own, ticks))
  const runs: Address<never>[] = []
  let last = 0
  for (let next = yield* nextRequest<Tick>(isTick); next.kind === 'tick'; next = yield* nextRequest<Tick>(isTick)) {
    const before = runs.at(-1)
    // The same tick once more: whoever starts it does not know of the first time.
    const isAgain = next.tick === last
    last = next.tick
    if (overlap === 'skipped' && before !== undefined && !isAgain) {
      if ((yield* withoutPlace(choose(['is over', 'still runs']))) === 'still runs') continue
      for (const run of runs) yield* withoutPlace(join(run))
    }
    runs.push(yield* withoutPlace(spawn('run', job as never, ...([next.tick, ...args] as never[]))))
  }
  for (;;) {
    const request = yield* nextRequest('cron.end')
    for (const run of runs) yield* withoutPlace(join(run))
    yield* reply(request, 'cron.ended')
  }
}

function* tickOften(starter: Address<never>, ticks: number): Steps<void> {
  const way = { network: 'mailbox', mark: repeatable } as const
  for (let tick = 1; tick <= ticks; tick++) {
    yield* withoutPlace(sendMarked(Address.of(starter.id), { kind: 'tick', tick }, way))
  }
  yield* passOn(starter, { kind: 'last tick' })
}

function isTick({ kind }: { readonly kind: string }): boolean {
  return kind === 'tick' || kind === 'last tick'
}

function refuseJob(found: unknown): never {
  return mistake({
    code: 'E220',
    message: `cron() needs a function and got ${describe(found)}`,
    hint: "write await cron({ ticks: 2, overlap: 'allowed' }, async (tick) => { … })",
  })
}
