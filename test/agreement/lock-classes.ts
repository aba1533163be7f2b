/** Lock programs as classes that use `allways/sync`, a method for each process: blocking between accesses, or awaiting. */
import type { LoadedObjects } from '../../src/check/objects/load.ts'
import type { Action, LockKind, LockProgram } from './lock-program.ts'
import { requestOf } from './object-agreement.ts'
import { compare, reduced, some } from './object-compare.ts'
import { clientOf } from './object-search.ts'

export type Style = 'blocking' | 'awaiting'
export const styles: readonly Style[] = ['blocking', 'awaiting']

export function locksModule(programs: readonly LockProgram[]): string {
  const classes = programs.flatMap((text, index) => styles.map((style) => classText(text, nameOf(index, style), style)))
  return ["import { Atomic, Mutex, ReadWriteLock, Semaphore } from 'allways/sync'", ...classes].join('\n')
}

/** How executions of the class can end, by the full search and some of the reduced ones. */
export function endingsOfClass(
  loaded: LoadedObjects,
  index: number,
  style: Style,
  { processes }: LockProgram,
): readonly string[] | undefined {
  const client = processes.map((_, at) => `{ p${at + 1}() }`).join(' || ')
  const compared = compare({
    request: { ...requestOf(loaded, nameOf(index, style), client), criterion: 'outcomes', deadlock: 'allow' },
    client: clientOf(client),
    variants: some(reduced, 2, index),
    seed: index,
    mostTransitions: 20_000,
  })
  if (compared.kind === 'disagree') throw new Error(compared.problem)
  return compared.kind === 'agree' ? compared.truth.outcomes : undefined
}

function nameOf(index: number, style: Style): string {
  return `${style === 'blocking' ? 'Blocking' : 'Awaiting'}${index}`
}

function classText({ kind, permits, processes }: LockProgram, name: string, style: Style): string {
  const lock = constructions[kind].replace('permits', String(permits))
  const methods = processes.map((actions, index) => methodText(actions, index + 1, style))
  return `export class ${name} {\n  data = new Atomic(0)\n  a = ${lock}\n  b = ${lock}\n${methods.join('\n')}\n}`
}

const constructions: { readonly [kind in LockKind]: string } = {
  mutex: 'new Mutex()',
  semaphore: 'new Semaphore(permits)',
  'read-write lock': 'new ReadWriteLock()',
  atomic: 'new Mutex()',
}

function methodText(actions: readonly Action[], number: number, style: Style): string {
  const prefix = style === 'awaiting' ? 'async ' : ''
  return `  ${prefix}p${number}() { let seen = ''; ${statements(actions, style)} return seen }`
}

function statements(actions: readonly Action[], style: Style): string {
  return actions.map((action) => `${pause(style)}${statement(action, style)}`).join(' ')
}

/** Processes can be interrupted between any two operations. */
function pause(style: Style): string {
  return style === 'awaiting' ? 'await null; ' : ''
}

function statement(action: Action, style: Style): string {
  if (action.kind === 'release') return releases(action.at)
  if (action.kind === 'hold') return holds(action, style)
  const [first, second] = action.values
  const args: { readonly [verb in typeof action.kind]: string } = {
    load: '',
    store: `${second}`,
    exchange: `${second}`,
    compareAndSet: `${first}, ${second}`,
    update: `(value) => value * 2 + ${second}`,
    getAndAdd: `${second}`,
  }
  const call = `this.data.${action.kind}(${args[action.kind]})`
  return action.kind === 'store' ? `${call};` : `seen += ' ' + ${call};`
}

function holds({ at, verb, body, keeps }: Extract<Action, { kind: 'hold' }>, style: Style): string {
  const inside = statements(body, style)
  if (verb === 'run') {
    return style === 'blocking'
      ? `this.${at}.runSync(() => { ${inside} });`
      : `await this.${at}.run(async () => { ${inside} ${pause(style)}});`
  }
  const after = `${inside} ${keeps ? '' : `${pause(style)}${releases(at)}`}`
  if (verb === 'tryAcquire') {
    return `{ const got = this.${at}.tryAcquire(); seen += ' ' + got; if (got) { ${after} } }`
  }
  return `${style === 'blocking' ? `this.${at}.acquireSync()` : `await this.${at}.acquire()`}; ${after}`
}

function releases(at: string): string {
  return `try { this.${at}.release() } catch { seen += ' refused' }`
}
