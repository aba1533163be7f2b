/** What the checker knows of a project while it reads it, and what it has to say about it. */
import { nearestName } from '../../core/did-you-mean.ts'
import type {
  DeclarationOf,
  Expression,
  FunctionBody,
  Name,
  ReceiveCase,
  SourceText,
  Span,
  TestDeclaration,
} from './ast.ts'
import type { Problem } from './problem.ts'
import type {
  EnumSymbol,
  EventSymbol,
  FunctionSymbol,
  MachineSymbol,
  Meaning,
  StateSymbol,
  VariableSymbol,
} from './symbols.ts'
import type { Type } from './type.ts'

/** A symbol that is still being put together. Nobody outside of the checker sees it before it is whole. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] }

/** What can be created by `new`: declared as an interface, or the one that every machine has. */
interface InterfaceSymbol {
  readonly name: string
  readonly payload: Type
  readonly receives: readonly string[] | undefined
  readonly at: Span
}

/** What a function does itself that is not allowed everywhere, in the words of the source. */
export interface Act {
  readonly what: 'send' | 'announce' | 'receive' | 'new' | 'this' | '$' | 'choose' | 'raise' | 'goto'
  /** Of `new`: what is created. */
  readonly creates?: string
  readonly at: Span
}

export interface Deeds {
  readonly acts: Act[]
  /** Cases of `receive` are called from nowhere: they are part of the function that waits. */
  readonly calls: { readonly callee: FunctionSymbol; readonly at: Span | undefined }[]
}

interface Globals {
  readonly aliases: Map<string, DeclarationOf<'type'>>
  readonly enums: Map<string, EnumSymbol>
  readonly elements: Map<string, Meaning & { readonly kind: 'element' }>
  /** `halt` and `null` are not among them. */
  readonly events: Map<string, EventSymbol>
  /** Names of events, sorted. */
  readonly eventSets: Map<string, readonly string[]>
  readonly interfaces: Map<string, InterfaceSymbol>
  readonly machines: Map<string, Draft<MachineSymbol>>
  readonly functions: Map<string, FunctionSymbol>
  readonly parameters: Map<string, VariableSymbol>
  readonly modules: Map<string, DeclarationOf<'module'>>
  readonly tests: TestDeclaration[]
}

export interface Project {
  readonly sources: readonly SourceText[]
  readonly problems: Problem[]
  readonly warnings: Problem[]
  readonly globals: Globals
  readonly types: Map<Expression, Type>
  readonly meanings: Map<Name, Meaning>
  readonly written: Map<Expression, Type>
  readonly callees: Map<Name, FunctionSymbol>
  readonly bodies: Map<FunctionBody, FunctionSymbol>
  readonly caseEvents: Map<ReceiveCase, readonly EventSymbol[]>
  /** Of every function that has a body, cases of `receive` included. */
  readonly deeds: Map<FunctionSymbol, Deeds>
  /** Types that aliases stand for; undefined while one is being resolved. */
  readonly resolved: Map<string, Type | undefined>
  /** How many aliases are being resolved, one within the other. */
  openAliases: number
  /** Names that were told to be missing, with the function: once is enough. */
  readonly missing: Set<string>
}

export function emptyProject(sources: readonly SourceText[]): Project {
  return {
    sources,
    problems: [],
    warnings: [],
    globals: {
      aliases: new Map(),
      enums: new Map(),
      elements: new Map(),
      events: new Map(),
      eventSets: new Map(),
      interfaces: new Map(),
      machines: new Map(),
      functions: new Map(),
      parameters: new Map(),
      modules: new Map(),
      tests: [],
    },
    types: new Map(),
    meanings: new Map(),
    written: new Map(),
    callees: new Map(),
    bodies: new Map(),
    caseEvents: new Map(),
    deeds: new Map(),
    resolved: new Map(),
    openAliases: 0,
    missing: new Set(),
  }
}

export function refuse(project: Project, problem: Problem): void {
  project.problems.push(problem)
}

export interface Known {
  /** What was looked for, in singular: `event`. */
  readonly what: string
  readonly names: Iterable<string>
  /** What to do if no name is near. */
  readonly otherwise: string
}

/** A name that nothing declares, with the nearest one that something does. */
export function refuseUnknown(project: Project, name: Name, known: Known): void {
  const nearest = nearestName(name.text, [...known.names])
  refuse(project, {
    code: 'E710',
    message: `there is no ${known.what} "${name.text}"`,
    hint: nearest === undefined ? known.otherwise : `did you mean "${nearest}"?`,
    at: name.at,
  })
}

/** The interface of that name, be it declared or that of a machine. Monitors have none. */
export function interfaceOf(project: Project, name: string): InterfaceSymbol | undefined {
  const declared = project.globals.interfaces.get(name)
  if (declared !== undefined) return declared
  const machine = project.globals.machines.get(name)
  if (machine === undefined || machine.kind !== 'machine') return undefined
  return { name, payload: machine.payload, receives: machine.receives, at: machine.declaration.name.at }
}

/** Where something is to be created or bound. */
export function refuseUnknownInterface(project: Project, name: Name): void {
  const machines = [...project.globals.machines.values()]
  const created = machines.filter((machine) => machine.kind === 'machine').map((machine) => machine.name)
  const isMonitor = project.globals.machines.has(name.text)
  refuseUnknown(project, name, {
    what: 'machine or interface',
    names: isMonitor ? [] : [...project.globals.interfaces.keys(), ...created],
    otherwise: isMonitor
      ? 'a monitor is not created: a test attaches it by "assert"'
      : `declare it: "machine ${name.text} { … }"`,
  })
}

export function stateOf(machine: MachineSymbol | undefined, name: string): StateSymbol | undefined {
  return machine?.states[placeOfState(machine, name)]
}

/** By the list of a machine's states, which only grows: the place of each name, the first one of equal ones. */
const statePlaces = new WeakMap<readonly StateSymbol[], { readonly count: number; readonly of: Map<string, number> }>()

/** Where a state stands among those of its machine; -1 if it does not. */
export function placeOfState({ states }: MachineSymbol, name: string): number {
  let known = statePlaces.get(states)
  if (known?.count !== states.length) {
    const of = new Map([...states.entries()].reverse().map(([at, state]) => [state.name, at]))
    known = { count: states.length, of }
    statePlaces.set(states, known)
  }
  return known?.of.get(name) ?? -1
}
