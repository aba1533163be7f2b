/**
 * An engine from outside: every execution of a path in lexicographic order of its choices, like an odometer. A unit of work is the
 * choices of the execution that comes next. Nothing but the contract of engines is used.
 */
import { countedExecutions, unitFormat } from '../../src/core/verdict.ts'
import type { Engine, EngineEvent, EngineRequest, WorkUnit } from '../../src/engines/engine.ts'
import type { Paths } from '../../src/program/path.ts'

export const odometer: Engine<'path'> = {
  name: 'odometer',
  summary: 'a toy: every execution, in order',
  needs: 'path',
  decides: ['assertion', 'exception', 'deadlock', 'monitor', 'final', 'invariant'],
  claims: 'verified',
  options: {
    direction: {
      form: 'choice',
      values: ['up', 'down'],
      default: 'up',
      help: 'which of several decisions comes first',
    },
  },
  counted: countedExecutions,
  units: 'split',
  explore,
}

function* explore(
  paths: Paths,
  options: { readonly [name: string]: unknown },
  unit?: WorkUnit,
): Generator<EngineEvent, void, EngineRequest> {
  let choices: number[] | undefined = [...((unit?.state as readonly number[] | undefined) ?? [])]
  let explored = 0
  while (choices !== undefined) {
    const { path, widths } = run(paths, choices, options.direction === 'down')
    const [first] = path.violations()
    const decisions = [...path.taken]
    const events = path.events().length
    if (first !== undefined) yield { kind: 'violation', violation: first, decisions, foundIn: events }
    explored += widths.reduce((share, width) => share / width, 1)
    const blocked = path.isBlocked()
    const told = { kind: 'execution', blocked, events, length: events, explored, decisions: () => decisions } as const
    const request = yield told
    choices = next(choices, widths)
    if (request !== 'surrender' || choices === undefined) continue
    yield { kind: 'surplus', unit: { format: unitFormat, engine: 'odometer', state: choices } }
    return
  }
}

/** One execution; choices that are missing are 0. */
function run(paths: Paths, choices: number[], isDown: boolean) {
  const path = Object.assign(paths.begin(), { taken: [] as unknown[] }) as ReturnType<Paths['begin']> & {
    readonly taken: Parameters<ReturnType<Paths['begin']>['take']>[0][]
  }
  const widths: number[] = []
  for (let at = 0; ; at++) {
    const enabled = path.enabled()
    if (enabled.length === 0) return { path, widths }
    widths.push(enabled.length)
    const choice = choices[at] ?? 0
    choices[at] = choice
    const decision = enabled.at(isDown ? -1 - choice : choice)
    if (decision === undefined) throw new Error('a choice is one of those there are')
    path.taken.push(decision)
    path.take(decision)
  }
}

function next(choices: readonly number[], widths: readonly number[]): number[] | undefined {
  const at = choices.findLastIndex((choice, depth) => choice + 1 < (widths[depth] ?? 0))
  return at < 0 ? undefined : [...choices.slice(0, at), (choices[at] ?? 0) + 1]
}
