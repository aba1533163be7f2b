/** `node host.mjs`: runs every snippet in plain Node and under control, and prints what both logged, as JSON. */
import { AsyncLocalStorage } from 'node:async_hooks'
import * as events from 'node:events'
import * as timersPromises from 'node:timers/promises'
import { lowerToJobs } from '../../../src/frontends/typescript/jobs/lower.ts'
import * as abort from '../../../src/jobs/host/abort.ts'
import { AsyncLocalStorage as ControlledStorage } from '../../../src/jobs/host/async-local-storage.ts'
import { EventEmitter } from '../../../src/jobs/host/event-emitter.ts'
import * as targets from '../../../src/jobs/host/event-target.ts'
import * as controlledEvents from '../../../src/jobs/host/events.ts'
import { cloned } from '../../../src/jobs/host/structured-clone.ts'
import * as timers from '../../../src/jobs/host/timers.ts'
import * as controlledTimers from '../../../src/jobs/host/timers-promises.ts'
import * as lowered from '../../../src/jobs/lowered.ts'
import { controlledPromise } from '../../../src/jobs/promise.ts'
import { hostSnippets, newSnippets } from './host-snippets.ts'
import { fireAll, Log, loggedLoop } from './run.ts'

type Environment = Readonly<Record<string, unknown>>

export interface Told {
  readonly name: string
  readonly native: readonly string[]
  readonly controlled: readonly string[]
}

const native: Environment = {
  Promise,
  setTimeout,
  setInterval,
  setImmediate,
  clearTimeout,
  clearInterval,
  clearImmediate,
  queueMicrotask,
  nextTick: process.nextTick,
  AbortController,
  AbortSignal,
  EventTarget,
  Event,
  CustomEvent: globalThis.CustomEvent,
  EventEmitter: events.EventEmitter,
  events,
  timersPromises,
  AsyncLocalStorage,
  structuredClone,
  $allways: undefined,
}

const controlled: Environment = {
  Promise: controlledPromise,
  setTimeout: timers.startTimeout,
  setInterval: timers.startInterval,
  setImmediate: timers.startImmediate,
  clearTimeout: timers.clearTimer,
  clearInterval: timers.clearTimer,
  clearImmediate: timers.clearOneImmediate,
  queueMicrotask: timers.enqueueMicrotask,
  nextTick: timers.nextTick,
  AbortController: abort.AbortController,
  AbortSignal: abort.AbortSignal,
  EventTarget: targets.EventTarget,
  Event: targets.Event,
  CustomEvent: targets.CustomEvent,
  EventEmitter,
  events: controlledEvents,
  timersPromises: {
    setTimeout: controlledTimers.timeout,
    setImmediate: controlledTimers.immediate,
    setInterval: controlledTimers.interval,
    scheduler: controlledTimers.scheduler,
  },
  AsyncLocalStorage: ControlledStorage,
  structuredClone: cloned,
  $allways: lowered,
}

function run(source: string, environment: Environment, log: Log): void {
  const names = Object.keys(environment)
  new Function(...names, 'log', `"use strict";${source}`)(...names.map((name) => environment[name]), log.add)
}

/** Until it has logged as much as under control, and a little longer; what never comes is given up. */
async function natively(source: string, lines: number): Promise<readonly string[]> {
  const log = new Log()
  setImmediate(() => run(source, native, log))
  const givenUp = performance.now() + 20_000
  for (let more = 50; more > 0 && performance.now() < givenUp; ) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    if (log.lines.length >= lines) more--
  }
  return log.lines
}

function underControl(source: string): readonly string[] {
  const log = new Log()
  const lower = lowerToJobs(source, 'snippet.js')
  if (!lower.ok || lower.value.refusals.length > 0) return [JSON.stringify(lower)]
  const loop = loggedLoop(log)
  loop.turn(() => run(lower.value.code.replace(/\nimport \* as .*\n$/, ''), controlled, log))
  fireAll(loop, () => loop.now > 1000)
  return log.lines
}

function hasSyntax(source: string): boolean {
  try {
    new Function(source)
    return true
  } catch {
    return false
  }
}

async function main(): Promise<void> {
  const told: Told[] = []
  for (const [name, source] of Object.entries(hostSnippets)) {
    const controlled = underControl(source)
    told.push({ name, native: await natively(source, controlled.length), controlled })
  }
  for (const [name, { source, logged }] of Object.entries(newSnippets)) {
    const controlled = underControl(source)
    told.push({ name, native: hasSyntax(source) ? await natively(source, controlled.length) : logged, controlled })
  }
  process.stdout.write(`${JSON.stringify(told)}\n`)
}

process.on('unhandledRejection', (reason) => {
  process.stderr.write(`unhandled: ${String(reason)}\n`)
})
main()
