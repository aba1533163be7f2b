/** Which names may be declared beside which: P has several name spaces, and some of them overlap. */
import type { Name, Span } from './ast.ts'
import { type Project, refuse } from './project.ts'

type NameKind =
  | 'type'
  | 'enum'
  | 'enum element'
  | 'event'
  | 'eventset'
  | 'interface'
  | 'machine'
  | 'spec'
  | 'function'
  | 'state'
  | 'variable'
  | 'module'
  | 'test'

const typeNames: readonly NameKind[] = ['type', 'enum', 'interface', 'machine', 'spec']

/**
 * What a new name of a kind collides with. The relation is not symmetric, as it is not for P: an event set may not take the name of an
 * interface, but an interface may take the name of an event set that was there before.
 */
const collisions: Readonly<Record<NameKind, readonly NameKind[]>> = {
  type: typeNames,
  enum: typeNames,
  interface: typeNames,
  machine: typeNames,
  spec: typeNames,
  'enum element': ['enum element', 'event'],
  event: ['event', 'enum element'],
  eventset: ['eventset', 'interface', 'machine'],
  function: ['function', 'state'],
  state: ['state'],
  variable: ['variable'],
  module: ['module'],
  test: ['test'],
}

export class NameTable {
  readonly #places = new Map<NameKind, Map<string, Span>>()
  readonly #project: Project

  constructor(project: Project) {
    this.#project = project
  }

  /** Whether the name is free; if it is not, that is told together with who has it. */
  add(kind: NameKind, name: Name): boolean {
    for (const other of collisions[kind]) {
      const at = this.#places.get(other)?.get(name.text)
      if (at === undefined) continue
      refuse(this.#project, {
        code: 'E711',
        message: other === kind ? `"${name.text}" is declared twice` : `"${name.text}" is already ${article(other)}`,
        hint: 'give one of them another name',
        at: name.at,
        second: { at, label: `the first ${other} "${name.text}"` },
      })
      return false
    }
    const places = this.#places.get(kind) ?? new Map<string, Span>()
    places.set(name.text, name.at)
    this.#places.set(kind, places)
    return true
  }
}

function article(kind: NameKind): string {
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
}
