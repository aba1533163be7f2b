/** Global declarations: who is called what, and what the declarations say of each other. Bodies come later. */
import type { Declaration, DeclarationOf, EventName, MachineDeclaration, Name } from './ast.ts'
import { declareFunction } from './declare-function.ts'
import { NameTable } from './name-table.ts'
import { type Draft, type Project, refuse, refuseUnknown } from './project.ts'
import { resolveType } from './resolve-type.ts'
import type { EnumSymbol, MachineSymbol, StateSymbol } from './symbols.ts'
import { unknownType, voidType } from './type-relations.ts'

/**
 * In an order in which everything is there when it is needed: names, then what types are made of, then what has a type. Of names that are
 * declared twice the first stays.
 */
export function declareAll(project: Project, declarations: readonly Declaration[]): void {
  const names = new NameTable(project)
  const elements = new Set<Name>()
  const kept = declarations.filter((declaration) => isKept(names, declaration, elements))
  const each = <K extends Declaration['kind']>(kind: K, declare: (declaration: DeclarationOf<K>) => void): void => {
    for (const declaration of kept) if (isOf(declaration, kind)) declare(declaration)
  }
  const { globals } = project
  each('type', (declaration) => globals.aliases.set(declaration.name.text, declaration))
  each('enum', (declaration) => declareEnum(project, declaration, elements))
  // Payloads need types of machines, and those need names of events.
  each('event', ({ name }) =>
    globals.events.set(name.text, { kind: 'event', name: name.text, payload: unknownType, at: name.at }),
  )
  each('eventset', ({ name, events }) => globals.eventSets.set(name.text, sortedEvents(project, events)))
  each('interface', ({ name, receives }) => {
    const permitted = permittedEvents(project, receives)
    globals.interfaces.set(name.text, { name: name.text, payload: unknownType, receives: permitted, at: name.at })
  })
  for (const declaration of kept) {
    if (isMachine(declaration)) globals.machines.set(declaration.name.text, emptyMachine(project, declaration))
  }
  each('type', ({ name, type }) => type !== undefined && resolveType(project, { kind: 'named', name, at: name.at }))
  each('param', (declaration) => declareParameters(project, names, declaration))
  each('event', ({ name, payload }) => {
    const type = payload === undefined ? voidType : resolveType(project, payload)
    globals.events.set(name.text, { kind: 'event', name: name.text, payload: type, at: name.at })
  })
  each('interface', ({ name, payload }) => {
    const known = globals.interfaces.get(name.text)
    const type = payload === undefined ? voidType : resolveType(project, payload)
    if (known !== undefined) globals.interfaces.set(name.text, { ...known, payload: type })
  })
  each('function', (declaration) => {
    globals.functions.set(declaration.name.text, declareFunction(project, undefined, declaration))
  })
  each('module', (declaration) => globals.modules.set(declaration.name.text, declaration))
  each('test', (declaration) => globals.tests.push(declaration))
  each('implementation', (declaration) => globals.tests.push(declaration))
}

function isOf<K extends Declaration['kind']>(declaration: Declaration, kind: K): declaration is DeclarationOf<K> {
  return declaration.kind === kind
}

function isMachine(declaration: Declaration): declaration is MachineDeclaration {
  return declaration.kind === 'machine' || declaration.kind === 'spec' || declaration.kind === 'scenario'
}

/** Elements of enums are names of the project, too; those that are kept are put into the set. */
function isKept(names: NameTable, declaration: Declaration, elements: Set<Name>): boolean {
  switch (declaration.kind) {
    case 'enum': {
      const isNew = names.add('enum', declaration.name)
      for (const { name } of declaration.elements) if (names.add('enum element', name)) elements.add(name)
      return isNew
    }
    case 'param':
      return true
    case 'scenario':
      return names.add('spec', declaration.name)
    case 'implementation':
      return names.add('test', declaration.name)
    default:
      return names.add(declaration.kind, declaration.name)
  }
}

/** Numbers are all given or all left out, which the parser makes sure of. */
function declareEnum(project: Project, declaration: DeclarationOf<'enum'>, kept: ReadonlySet<Name>): void {
  const elements: { readonly name: string; readonly value: number }[] = []
  const symbol: EnumSymbol = { kind: 'enum', name: declaration.name.text, elements, at: declaration.name.at }
  project.globals.enums.set(symbol.name, symbol)
  const names = new Map<number, string>()
  declaration.elements.forEach((element, position) => {
    if (!kept.has(element.name)) return
    const value = Number(element.value ?? position)
    if (value > 2 ** 31 - 1) {
      refuse(project, {
        code: 'E718',
        message: `the number of "${element.name.text}" is too large`,
        hint: 'numbers of elements are at most 2147483647',
        at: element.at,
      })
    }
    const other = names.get(value)
    if (other !== undefined) {
      refuse(project, {
        code: 'E711',
        message: `"${element.name.text}" and "${other}" are both ${value}`,
        hint: 'elements of an enum have different numbers',
        at: element.at,
      })
    }
    if (other === undefined) names.set(value, element.name.text)
    elements.push({ name: element.name.text, value })
    project.globals.elements.set(element.name.text, { kind: 'element', enum: symbol, value })
  })
}

function declareParameters(project: Project, names: NameTable, declaration: DeclarationOf<'param'>): void {
  const type = resolveType(project, declaration.type)
  if (type.kind !== 'int' && type.kind !== 'bool' && type.kind !== 'unknown') {
    refuse(project, {
      code: 'E722',
      message: 'a parameter of tests is neither an "int" nor a "bool"',
      hint: 'tests give parameters numbers and booleans; build other values from these',
      at: declaration.type.at,
    })
  }
  for (const name of declaration.names) {
    if (!names.add('variable', name)) continue
    project.globals.parameters.set(name.text, { kind: 'parameter', name: name.text, type, at: name.at })
  }
}

/** Names that are events, sorted and each once. `halt` needs no declaration. */
function sortedEvents(project: Project, names: readonly EventName[]): readonly string[] {
  const found = new Set<string>()
  for (const name of names) {
    if (name.text === 'halt' || project.globals.events.has(name.text)) found.add(name.text)
    else refuseUnknownEvent(project, name)
  }
  return [...found].sort()
}

export function refuseUnknownEvent(project: Project, name: EventName): void {
  refuseUnknown(project, name, {
    what: 'event',
    names: project.globals.eventSets.has(name.text) ? [] : project.globals.events.keys(),
    otherwise: project.globals.eventSets.has(name.text)
      ? 'an event set is a type of machines; list its events here'
      : `declare it: "event ${name.text};"`,
  })
}

/** Undefined: all. A list of all events is the same as no list. */
function permittedEvents(project: Project, names: readonly EventName[] | undefined): readonly string[] | undefined {
  if (names === undefined) return undefined
  const events = sortedEvents(project, names)
  return events.length === project.globals.events.size + 1 ? undefined : events
}

/** A machine of which only the head is known. */
function emptyMachine(project: Project, declaration: MachineDeclaration): Draft<MachineSymbol> {
  const isMonitor = declaration.kind !== 'machine'
  return {
    kind: declaration.kind,
    name: declaration.name.text,
    payload: unknownType,
    fields: [],
    functions: [],
    states: [],
    start: noState(declaration),
    receives: isMonitor ? [] : permittedEvents(project, declaration.receives),
    sends: isMonitor ? [] : permittedEvents(project, declaration.sends),
    observes: sortedEvents(project, declaration.observes),
    declaration,
  }
}

/** Stands where the start state is missing, so that a project with mistakes has the shape of one without. */
function noState({ name, at }: MachineDeclaration): StateSymbol {
  const declaration = { kind: 'state', name, isStart: true, temperature: undefined, items: [], at } as const
  return {
    kind: 'state',
    name: '',
    isStart: true,
    temperature: 'warm',
    entry: undefined,
    exit: undefined,
    handlers: new Map(),
    declaration,
  }
}
