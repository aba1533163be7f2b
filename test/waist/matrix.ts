/** Which engine explores which kind of program: made from the registry and one program of each kind, so that it cannot lie. */

import { engines } from '../../src/engines/registry.ts'
import type { ViewName } from '../../src/program/program.ts'

/** A kind of program by the views that programs of it have, own ones or derived. */
export interface Kind {
  readonly name: string
  has(view: ViewName): boolean
  /** Kinds of property that its programs must be judged by. */
  readonly judges: readonly string[]
}

export interface Cell {
  readonly kind: string
  readonly engine: string
}

export function engineNames(): readonly string[] {
  return [...new Set(engines.map(({ name }) => name))]
}

export function cells(kinds: readonly Kind[]): readonly Cell[] {
  return kinds.flatMap(({ name, has, judges }) =>
    engineNames().flatMap((engine) => {
      const forms = engines.filter((one) => one.name === engine && has(one.needs))
      const decides = forms.some((form) => judges.every((kind) => (form.decides as readonly string[]).includes(kind)))
      return decides ? [{ kind: name, engine }] : []
    }),
  )
}

/** As ARCHITECTURE.md shows it. */
export function table(kinds: readonly Kind[]): string {
  const filled = cells(kinds)
  const rows = kinds.map(({ name }) => {
    const marks = engineNames().map((engine) =>
      filled.some((cell) => cell.kind === name && cell.engine === engine) ? '✓' : '',
    )
    return `| ${[name, ...marks].join(' | ')} |`.replaceAll('|  |', '| |').replaceAll('|  |', '| |')
  })
  const names = engineNames().map((name) => `\`${name}\``)
  return [`| | ${names.join(' | ')} |`, `| ---${' | ---'.repeat(names.length)} |`, ...rows].join('\n')
}
