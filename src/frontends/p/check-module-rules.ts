/** When modules can be put together, and what of them can be hidden. */
import type { Name, Span } from './ast.ts'
import type { Module } from './check-module.ts'
import { interfaceOf, type Project, refuse } from './project.ts'
import type { Type } from './type.ts'

export function refuseModule(project: Project, at: Span, message: string, hint: string): void {
  refuse(project, { code: 'E720', message, hint, at })
}

/** What a pair of modules must not share. `compose` asks for more than `union`: they send and create different things, too. */
export function checkUnion(project: Project, modules: readonly Module[], kind: 'union' | 'compose', at: Span): boolean {
  const before = project.problems.length
  modules.forEach((left, index) => {
    for (const right of modules.slice(index + 1)) checkPair(project, [left, right], kind, at)
  })
  return project.problems.length === before
}

function checkPair(project: Project, [left, right]: readonly [Module, Module], kind: string, at: Span): void {
  const bound = shared(left.bindings.keys(), right.bindings)
  if (bound !== undefined) {
    refuseModule(project, at, `two of the modules bind "${bound}"`, 'bind each interface in one of them')
  }
  const monitor = [...left.monitors.keys()].find((one) => right.monitors.has(one))
  if (monitor !== undefined) {
    const hint = 'assert it once, over the union'
    refuseModule(project, at, `two of the modules assert "${monitor.name}"`, hint)
  }
  checkPrivacy(project, left, right, at)
  checkPrivacy(project, right, left, at)
  if (kind !== 'compose') return
  const sent = shared(left.sends, right.sends)
  if (sent !== undefined) {
    refuseModule(
      project,
      at,
      `two of the modules send "${sent}"`,
      'modules that send the same event are put together by "union"',
    )
  }
  const created = shared(createdIn(left), createdIn(right))
  if (created !== undefined) {
    refuseModule(
      project,
      at,
      `two of the modules create "${created}"`,
      'modules that create the same are put together by "union"',
    )
  }
}

/** Interfaces that are created by what is bound. */
export function createdIn(module: Module): ReadonlySet<string> {
  return new Set([...module.links.values()].flatMap((links) => [...links.values()]))
}

function shared(names: Iterable<string>, others: { has(name: string): boolean }): string | undefined {
  return [...names].find((name) => others.has(name))
}

/** What one module hides, the other does not know. */
function checkPrivacy(project: Project, hiding: Module, other: Module, at: Span): void {
  if (hiding.hidden.size === 0) return
  const known = [...other.sends, ...other.receives]
  const reached = known.flatMap((event) => [event, ...permissions(project, project.globals.events.get(event)?.payload)])
  const offered = [...other.bindings.keys(), ...createdIn(other)].flatMap((name) => {
    const target = interfaceOf(project, name)
    return [...(target?.receives ?? allEvents(project)), ...permissions(project, target?.payload)]
  })
  const event = [...reached, ...offered].find((name) => hiding.hidden.has(name))
  if (event === undefined) return
  refuseModule(
    project,
    at,
    `one module hides "${event}", and another one can get hold of it`,
    'say what its machines send and receive',
  )
}

/** Events can be hidden that are sent and received inside only. */
export function checkHiddenEvents(project: Project, module: Module, names: readonly Name[]): boolean {
  const before = project.problems.length
  const created = createdIn(module)
  const open = [...new Set([...created, ...module.bindings.keys()])].filter(
    (name) => !created.has(name) || !module.bindings.has(name),
  )
  for (const { text, at } of names) {
    if (!module.sends.has(text) || !module.receives.has(text)) {
      refuseModule(
        project,
        at,
        `"${text}" is not both sent and received in the module`,
        'only what stays inside can be hidden',
      )
      continue
    }
    const outside = open.find((name) => (interfaceOf(project, name)?.receives ?? allEvents(project)).includes(text))
    if (outside !== undefined) {
      const message = `"${text}" is received by "${outside}", which is not both created and bound in the module`
      refuseModule(project, at, message, 'only what stays inside can be hidden')
    }
    const carrier = [...module.sends, ...module.receives]
      .filter((event) => names.every((name) => name.text !== event))
      .find((event) => permissions(project, project.globals.events.get(event)?.payload).includes(text))
    if (carrier !== undefined) {
      const message = `"${carrier}" carries machines that can be sent "${text}"`
      refuseModule(project, at, message, 'only what stays inside can be hidden')
    }
  }
  return project.problems.length === before
}

export function checkHiddenInterfaces(project: Project, module: Module, names: readonly Name[]): boolean {
  const created = createdIn(module)
  const open = names.filter((name) => !created.has(name.text) || !module.bindings.has(name.text))
  for (const { text, at } of open) {
    refuseModule(
      project,
      at,
      `"${text}" is not both created and bound in the module`,
      'only what stays inside can be hidden',
    )
  }
  return open.length === 0
}

function allEvents(project: Project): readonly string[] {
  return ['halt', ...project.globals.events.keys()]
}

/** Events that can be sent with the help of a value. */
function permissions(project: Project, type: Type | undefined): readonly string[] {
  switch (type?.kind) {
    case 'machine':
      return type.receives ?? allEvents(project)
    case 'any':
    case 'foreign':
      return allEvents(project)
    case 'seq':
    case 'set':
      return permissions(project, type.of)
    case 'map':
      return [...permissions(project, type.key), ...permissions(project, type.value)]
    case 'tuple':
      return type.items.flatMap((item) => permissions(project, item))
    case 'record':
      return type.fields.flatMap((field) => permissions(project, field.type))
    default:
      return []
  }
}
