/** What all parts of the rewriting share: the facts about the file, and the ways from one kind of code to another. */
import type { Comment, Node } from 'oxc-parser'
import { invariant } from '../../../core/invariant.ts'
import { keyName } from '../function-names.ts'
import type { ModuleMeta } from '../module-meta.ts'
import type { ParsedSource } from '../parse.ts'
import type { Bindings, LexicalScope, Region } from './bindings.ts'
import { scopeHead } from './declarations.ts'
import { expression, namedValue } from './expressions.ts'
import { Frame } from './frame.ts'
import { ModuleTable } from './module-table.ts'
import { type Names, namesFor } from './names.ts'
import { type Code, slice } from './output.ts'
import { type PrivateNames, privateNamesOf } from './private-names.ts'
import { type Refusals, refusalsIn } from './refusals.ts'
import { type Refused, refusingBody } from './refused-functions.ts'
import { bindingsOf } from './scope-builder.ts'
import { type Extent, returned, statement, statements } from './statements.ts'
import { Suspensions } from './suspensions.ts'
import type { Value } from './value.ts'

/** What code outside of all functions is called in reports. */
export const moduleName = '(module)'

export class Rewriter {
  readonly source: ParsedSource
  readonly names: Names
  readonly bindings: Bindings
  readonly suspensions: Suspensions
  readonly table: ModuleTable
  readonly privates: PrivateNames
  readonly refusals: Refusals
  readonly #meta: ModuleMeta

  constructor(source: ParsedSource, meta: ModuleMeta) {
    this.source = source
    this.names = namesFor(source.program)
    this.bindings = bindingsOf(source.program)
    this.suspensions = new Suspensions(this.bindings)
    this.table = new ModuleTable(source)
    this.privates = privateNamesOf(source.program, source.file)
    this.refusals = refusalsIn(source, this.bindings)
    this.#meta = meta
  }

  // The parts need each other (an expression holds functions, which hold statements). They meet here, so that their files do not
  // import each other in a circle.

  expression(frame: Frame, node: Node, wanted = true): Value {
    return expression(this, frame, node, wanted)
  }

  namedValue(frame: Frame, node: Node, name: string | undefined): Value {
    return namedValue(this, frame, node, name)
  }

  returned(frame: Frame, node: Node): Value {
    return returned(this, frame, node)
  }

  statement(frame: Frame, node: Node): Code {
    return statement(this, frame, node)
  }

  statements(frame: Frame, nodes: readonly Node[], extent: Extent): Code {
    return statements(this, frame, nodes, extent)
  }

  scopeHead(frame: Frame, scope: LexicalScope | undefined): Code {
    return scopeHead(this, frame, scope)
  }

  refusingBody(region: Region, index: number, refused: Refused): Code {
    return refusingBody(this, region, index, refused)
  }

  /** Code where no statement can stand, so temporaries need a function around it. */
  loose(around: Frame, emit: (frame: Frame) => Code): Code {
    const { region, index } = around
    const frame = new Frame({ kind: 'plain', region, index, isAsync: false, names: this.names })
    const code = emit(frame)
    frame.finish()
    return frame.needsTemporaries ? ['(() => {', frame.declarations, ' return (', code, ') })()'] : code
  }

  /** A function of the runtime. */
  runtime(name: string): string {
    return `${this.names.runtime}.${name}`
  }

  regionOf(node: Node): Region {
    const region = this.bindings.regions.get(node)
    invariant(region !== undefined, 'every function and class has a region')
    return region
  }

  /** The name of a function with those of the functions around it. */
  qualified(outer: Frame, name: string): string {
    const around = this.table.nameOf(outer.index)
    // A function that is the value of a field has the name of the field.
    if (outer.kind === 'plain' && around.endsWith(`.${name}`)) return around
    return around === moduleName ? name : `${around} > ${name}`
  }

  /** What a key that is not computed is called at run time. */
  propertyName(key: Node): string {
    return this.privates.members.get(key)?.key ?? keyName(key) ?? ''
  }

  metaProperty(node: Extract<Node, { type: 'MemberExpression' }>): Code {
    const name = node.computed ? undefined : keyName(node.property)
    const value = name !== undefined && Object.hasOwn(this.#meta, name) ? this.#meta[name] : undefined
    return value === undefined ? slice(node.start, node.end) : JSON.stringify(value)
  }

  text(node: Node): string {
    return this.source.text.slice(node.start, node.end)
  }

  /** Where a token begins between two offsets that hold nothing but punctuation, words and comments. */
  find(token: string, from: number, to: number): number {
    const at = this.source.text.indexOf(token, from)
    if (at < 0 || at >= to) return from
    const comment = this.source.comments.find((candidate: Comment) => candidate.start <= at && at < candidate.end)
    return comment === undefined ? at : this.find(token, comment.end, to)
  }
}
