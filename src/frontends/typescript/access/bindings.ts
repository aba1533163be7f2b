/**
 * Variables and the functions that use them. A variable that one function declares, another one uses and any code assigns
 * after its initialisation is shared memory: it is held in a box, whose reads and writes are operations.
 */
import type { MemberExpression, Node } from 'oxc-parser'
import { unwrapped } from './tree.ts'

export type BindingKind =
  | 'parameter'
  | 'let'
  | 'const'
  | 'var'
  | 'function'
  | 'class'
  | 'catch'
  | 'import'
  | 'namespace'
  | 'enum'
  /** The name of a function or class expression inside itself. */
  | 'self'
  | 'arguments'

/** Code with a `this` or an activation of its own. */
export class Region {
  /** `plain` runs in one go: constructors, values of fields, static blocks. A class is only the place of its members. */
  readonly kind: 'module' | 'function' | 'arrow' | 'plain' | 'class'
  readonly node: Node
  readonly parent: Region | undefined
  /** Variables of regions around it that it uses, also in regions inside. */
  readonly free = new Set<Binding>()
  /** An arrow that uses the `this` of what is around it. */
  usesThis = false
  /** Has arrows inside that use its `this`. */
  lendsThis = false
  /** The variable of a declared function. */
  declared: Binding | undefined

  constructor(kind: Region['kind'], node: Node, parent: Region | undefined) {
    this.kind = kind
    this.node = node
    this.parent = parent
  }
}

export class LexicalScope {
  readonly kind: 'module' | 'function' | 'block' | 'switch' | 'for' | 'class'
  readonly region: Region
  readonly parent: LexicalScope | undefined
  readonly start: number
  readonly end: number
  readonly bindings = new Map<string, Binding>()
  /** Names that parameters use, if it is the scope of a function's body, into which these are moved. */
  mentionedBefore: ReadonlySet<string> = new Set()

  constructor(
    kind: LexicalScope['kind'],
    place: { readonly start: number; readonly end: number },
    region: Region,
    parent: LexicalScope | undefined,
  ) {
    this.kind = kind
    this.region = region
    this.parent = parent
    this.start = place.start
    this.end = place.end
  }

  lookup(name: string): Binding | undefined {
    return this.bindings.get(name) ?? this.parent?.lookup(name)
  }
}

export class Binding {
  readonly name: string
  readonly kind: BindingKind
  readonly scope: LexicalScope
  /** Where it is declared. */
  readonly offset: number
  /** From this offset on it has been initialised, wherever its name means it and the value of its pattern is known. */
  readyAt: number
  /** The end of its declaration; a function that is created before may be created too early. */
  declaredUntil: number
  /** A function or class whose own name it is, so that creating that one needs no value of it. */
  own: Node | undefined
  /** Somewhere after its initialisation. */
  assigned = false
  isExported = false
  /** Decided by `decideBoxes`; not to be asked before. */
  isBoxed = false
  /** Used by a function that is created before the variable is initialised: the box stands at the head of the scope. */
  isEarly = false
  /** A function that must exist from the head of its scope on. */
  isHoisted = false
  /** Not 0 if it hides a variable that may be live where its own name is meant; then it gets a name of its own. */
  hides = 0
  /** The offset of the first use outside the declaration. */
  firstUse = Number.POSITIVE_INFINITY
  /** Functions and classes directly inside its region through which it is used. */
  readonly users = new Set<Region>()

  constructor(kind: BindingKind, identifier: { readonly name: string; readonly start: number }, scope: LexicalScope) {
    this.kind = kind
    this.name = identifier.name
    this.offset = identifier.start
    this.scope = scope
    this.readyAt = scope.start
    this.declaredUntil = scope.start
  }

  /** Declared in front of its `switch`, because the case that declares it may be skipped. */
  get isMoved(): boolean {
    return this.scope.kind === 'switch' && this.kind !== 'function'
  }

  get isTopLevel(): boolean {
    return this.scope.kind === 'module'
  }

  /** Whether code at the offset may name it, as far as the text of the program tells. */
  isVisibleAt(offset: number): boolean {
    return this.scope.start <= offset && offset < this.scope.end && (this.isEarly || this.readyAt <= offset)
  }
}

export interface Bindings {
  /** By identifier, where it is declared and where it is used; names of properties and globals are not among them. */
  readonly resolved: ReadonlyMap<Node, Binding>
  readonly regions: ReadonlyMap<Node, Region>
  /** By value of a field or static block; a function that is the value of a field has a region beside that one. */
  readonly plainRegions: ReadonlyMap<Node, Region>
  readonly scopes: ReadonlyMap<Node, LexicalScope>
  readonly moduleScope: LexicalScope
}

/** Decides what is boxed, once all uses are known. */
export function decideBoxes(scopes: Iterable<LexicalScope>): void {
  const all = [...scopes]
  for (const scope of all) placeFunctions(scope)
  let hiding = 0
  for (const scope of all) {
    for (const binding of scope.bindings.values()) {
      if (binding.isMoved) binding.readyAt = scope.start
      binding.isEarly = [...binding.users].some((user) => binding.isMoved || isCreatedTooEarly(user, binding))
      binding.isBoxed = isBoxable(binding) && (binding.isEarly || (binding.users.size > 0 && binding.assigned))
      if (isHiding(binding)) binding.hides = ++hiding
    }
  }
}

/** What a function or class must be given to have the values it uses: variables of functions around it. */
export function capturedBy(region: Region): readonly Binding[] {
  return [...region.free]
    .filter((binding) => !binding.isTopLevel && binding.own !== region.node && binding.kind !== 'enum')
    .sort((left, right) => left.offset - right.offset)
}

/** Parameters and `var` reach through the whole function, where what they hide cannot be needed. */
function isHiding({ name, kind, scope }: Binding): boolean {
  if (scope.region.kind !== 'function' && scope.region.kind !== 'arrow') return false
  if (kind !== 'let' && kind !== 'const' && kind !== 'class' && kind !== 'function' && kind !== 'catch') return false
  const hidden = scope.parent?.lookup(name)
  if (hidden !== undefined && !hidden.isTopLevel) return true
  return scope.mentionedBefore.has(name)
}

function isBoxable({ kind }: Binding): boolean {
  return kind !== 'import' && kind !== 'namespace' && kind !== 'enum' && kind !== 'self' && kind !== 'arguments'
}

/** Functions that cannot be called before their line are created on it: there, more of what they use is initialised. */
function placeFunctions(scope: LexicalScope): void {
  const functions = [...scope.bindings.values()].filter(({ kind }) => kind === 'function')
  const hoisted = functions.filter(
    ({ firstUse, own, isTopLevel }) => isTopLevel || scope.kind === 'switch' || firstUse < (own?.start ?? 0),
  )
  for (const binding of functions) {
    binding.readyAt = binding.own?.start ?? scope.start
    binding.declaredUntil = binding.readyAt
  }
  hoisted.forEach((binding, index) => {
    binding.isHoisted = true
    // Fractions of an offset: after the head of the scope, before its first character, and in the order of declaration.
    binding.readyAt = scope.start + (index + 1) / (hoisted.length + 2)
    binding.declaredUntil = binding.readyAt
  })
}

/** A namespace import, an enum, a constant of the language: its members never change, so reading one is not an access. */
export function isImmutable({ resolved }: Bindings, { object, computed }: MemberExpression): boolean {
  const node = unwrapped(object)
  if (node.type !== 'Identifier' || computed) return false
  const binding = resolved.get(node)
  if (binding === undefined) return immutableGlobals.has(node.name)
  return binding.kind === 'namespace' || binding.kind === 'enum'
}

/** Objects of the language that never change. */
const immutableGlobals: ReadonlySet<string> = new Set(['Math', 'Number', 'Symbol'])

function isCreatedTooEarly(user: Region, binding: Binding): boolean {
  if (binding.isTopLevel || binding.own === user.node) return false
  return createdAt(user) < binding.declaredUntil
}

function createdAt({ node, declared }: Region): number {
  return declared?.readyAt ?? node.start
}
