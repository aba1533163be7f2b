/** Functions before their bodies are looked at: parameters, variables, what they return. */
import type { FunctionBody, FunctionDeclaration, Name, Span, TypedName, TypeNode } from './ast.ts'
import { NameTable } from './name-table.ts'
import { interfaceOf, type Project, refuse, refuseUnknownInterface } from './project.ts'
import { resolveType } from './resolve-type.ts'
import type { FunctionSymbol, MachineSymbol, VariableSymbol } from './symbols.ts'
import { voidType } from './type-relations.ts'

interface FunctionParts {
  readonly name: string
  readonly machine: MachineSymbol | undefined
  readonly params: readonly TypedName[]
  readonly returns: TypeNode | undefined
  readonly body: FunctionBody | undefined
  readonly at: Span
}

export function declareFunction(
  project: Project,
  machine: MachineSymbol | undefined,
  declaration: FunctionDeclaration,
): FunctionSymbol {
  const { name, params, returns, body } = declaration
  const full = machine === undefined ? name.text : `${machine.name}.${name.text}`
  const symbol = functionSymbol(project, { name: full, machine, params, returns, body, at: name.at })
  for (const created of declaration.creates) {
    if (interfaceOf(project, created.text) === undefined) refuseUnknownInterface(project, created)
    project.deeds.get(symbol)?.acts.push({ what: 'new', creates: created.text, at: created.at })
  }
  return symbol
}

/** A function without a name, which is remembered by its body. */
export function declareBody(
  project: Project,
  machine: MachineSymbol | undefined,
  name: string,
  body: FunctionBody,
): FunctionSymbol {
  const parts = { name, machine, params: body.params, returns: undefined, body, at: body.at }
  const symbol = functionSymbol(project, parts)
  project.bodies.set(body, symbol)
  return symbol
}

function functionSymbol(project: Project, parts: FunctionParts): FunctionSymbol {
  const names = new NameTable(project)
  const local = ({ name, type }: TypedName): VariableSymbol | undefined => {
    const symbol: VariableSymbol = { kind: 'local', name: name.text, type: resolveType(project, type), at: name.at }
    return names.add('variable', name) && isNoParameter(project, name) ? symbol : undefined
  }
  const symbol: FunctionSymbol = {
    kind: 'function',
    name: parts.name,
    machine: parts.machine,
    params: parts.params.map(local).filter(isDeclared),
    locals: (parts.body?.locals ?? []).map(local).filter(isDeclared),
    returns: parts.returns === undefined ? voidType : resolveType(project, parts.returns),
    body: parts.body?.body,
    at: parts.at,
  }
  project.deeds.set(symbol, { acts: [], calls: [] })
  return symbol
}

function isDeclared(symbol: VariableSymbol | undefined): symbol is VariableSymbol {
  return symbol !== undefined
}

/** Parameters of tests are seen everywhere and cannot be hidden. */
export function isNoParameter(project: Project, name: Name): boolean {
  const parameter = project.globals.parameters.get(name.text)
  if (parameter === undefined) return true
  refuse(project, {
    code: 'E711',
    message: `"${name.text}" is already a parameter of tests`,
    hint: 'parameters of tests are seen everywhere: give the variable another name',
    at: name.at,
    second: { at: parameter.at, label: 'the parameter' },
  })
  return false
}
