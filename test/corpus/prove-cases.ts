/**
 * The corpus' programs of which it is known what a proof for all sizes comes to, with what is true of some sizes: answers of dpor
 * that also name the violation and count the messages nobody reads.
 */

import { join } from 'node:path'
import type { Params } from '../../src/core/setting.ts'
import { settingFrom } from '../../src/core/setting.ts'
import { findEngine } from '../../src/engines/registry.ts'
import type { Program, Runnable } from '../../src/program/program.ts'
import { deadlockFreedom } from '../../src/properties/deadlock.ts'
import { replay } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { corpusFolder, type ExecutionsAnswer, type ProofAnswer } from './answers.ts'
import { type Entry, readCorpus } from './entries.ts'
import type { Cell } from './explore.ts'

/** How a program can be wrong; where executions end in different ways, the first of these is told. */
const violations = ['assertion', 'exception', 'deadlock'] as const

/** What is true of one size, on `fifo`. */
export interface Truth extends Cell {
  /** How it is violated, if it is. */
  readonly violation?: (typeof violations)[number]
  /** The most messages that one execution leaves unread. */
  readonly orphans: number
}

export interface ProveCase {
  readonly folder: string
  readonly file: string
  readonly exportName: string
  readonly program: Program
  /** Parameters that the answer is for all values of. */
  readonly every: readonly string[]
  readonly answer: ProofAnswer
  readonly truths: readonly { readonly params: Params; readonly truth: Truth; readonly slow: boolean }[]
}

export function readProveEntries(): Promise<readonly Entry[]> {
  return readCorpus(({ engines }) => engines.sequentialize !== undefined)
}

export function casesOf({ name: folder, programs, answers }: Entry): readonly ProveCase[] {
  return answers.flatMap(({ program: exportName, setting, engines }) => {
    const [program, answer] = [programs.get(exportName), engines.sequentialize]
    if (program === undefined || answer === undefined) return []
    const file = join(corpusFolder, folder, 'model.check.ts')
    const truths = answers.filter((one) => one.program === exportName).flatMap((one) => truthsOf(one))
    return [{ folder, file, exportName, program, every: Object.keys(setting.params ?? {}), answer, truths }]
  })
}

function truthsOf({ setting: { params = {} }, engines: { dpor } }: Entry['answers'][number]): ProveCase['truths'] {
  return dpor === undefined ? [] : [{ params, truth: truthOf(dpor), slow: dpor.slow === true }]
}

/** Orphans that an answer forgets to count are unlike any number. */
function truthOf({ verdict, violation, counts }: ExecutionsAnswer): Truth {
  const { executions, blocked, orphans = Number.NaN } = counts
  const cell = { verdict, executions, blocked, orphans }
  return violation === undefined ? cell : { ...cell, violation: violation.kind }
}

/** What dpor finds; undefined if it takes more executions than that. */
export function explored(program: Program, params: Params, most = Number.POSITIVE_INFINITY): Truth | undefined {
  const engine = findEngine('dpor')
  if (engine === undefined) throw new Error('there is no engine "dpor"')
  const subject = subjectOf(program, params)
  const setting = { seed: 1, schedule: 'left-to-right', eager: false, samples: 0, depth: 0 } as const
  const counts = { executions: 0, blocked: 0 }
  const found = new Set<string>()
  let orphans = 0
  for (const event of engine.explore(subject, setting)) {
    if (event.kind === 'diagnostic') throw new Error(`${event.diagnostic.code}: ${event.diagnostic.message}`)
    if (event.kind === 'violation') found.add(event.violation.kind)
    if (event.kind !== 'execution') continue
    counts[event.blocked ? 'blocked' : 'executions']++
    if (counts.executions + counts.blocked > most) return undefined
    orphans = Math.max(orphans, unread(subject, event.decisions()))
  }
  const violation = violations.find((kind) => found.has(kind))
  if (violation === undefined) return { verdict: 'verified', ...counts, orphans }
  return { verdict: 'violated', ...counts, violation, orphans }
}

function subjectOf(program: Program, params: Params): Runnable {
  const view = program.views.runnable
  if (view === undefined) throw new Error(`${program.name} offers no runnable view`)
  const subject = view(settingFrom({ params: { ...program.params, ...params }, network: 'fifo' }))
  return { ...subject, properties: [...subject.properties, deadlockFreedom] }
}

function unread(subject: Runnable, decisions: Parameters<typeof replay>[1]): number {
  const { events } = replay(pathsOf(subject), decisions, { places: false })
  const of = (kind: 'send' | 'receive') => events.filter((event) => event.kind === kind).length
  return of('send') - of('receive')
}
