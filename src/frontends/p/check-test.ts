/** Tests and implementations: each becomes one case, or one for each way to choose its parameters. */
import type { Name, Span, TestDeclaration } from './ast.ts'
import { type Module, Modules } from './check-module.ts'
import { createdIn } from './check-module-rules.ts'
import { parametersOf } from './check-test-parameters.ts'
import { type Project, refuse } from './project.ts'
import type { MachineSymbol, TestCase } from './symbols.ts'
import { type Assignment, mangledName } from './test-parameters.ts'
import { typeText } from './type-relations.ts'

export interface CheckOptions {
  /** Attach every monitor to a program that declares no test. P's default is none of them; its exhaustive engine attaches all. */
  readonly allMonitors?: boolean
}

export function checkTests(project: Project, options: CheckOptions): readonly TestCase[] {
  const modules = new Modules(project)
  for (const { name } of project.globals.modules.values()) modules.named(name)
  const { tests } = project.globals
  if (tests.length === 0) return defaultCase(project, modules, options)
  return tests.flatMap((test) => casesOf(project, modules, test))
}

function casesOf(project: Project, modules: Modules, test: TestDeclaration): readonly TestCase[] {
  if (test.refines !== undefined) {
    refuse(project, {
      code: 'E721',
      message: `"${test.name.text}" asks whether a module refines another`,
      hint: 'that is not decided, by P neither: write a monitor for what should hold',
      at: test.refines.at,
    })
    return []
  }
  const module = modules.flatten(test.module)
  const assignments = parametersOf(project, test)
  if (module === undefined) return []
  const main = test.main ?? module.main
  const shape = caseOf(project, { module, main: main?.text ?? 'Main', at: main?.at ?? test.name.at, name: test.name })
  if (shape === undefined) return []
  return assignments.map(({ named, all }) => ({ ...shape, name: mangledName(test.name.text, named), params: all }))
}

/** A program without tests is tested as a whole, from `Main` on. */
function defaultCase(project: Project, modules: Modules, options: CheckOptions): readonly TestCase[] {
  const machines = [...project.globals.machines.values()]
  const bound = machines.filter((machine) => machine.kind === 'machine')
  const main = bound.find((machine) => machine.name === 'Main')
  if (main === undefined) {
    const [first] = machines
    refuse(project, {
      code: 'E721',
      message: 'there is nothing to check: no test, and no machine "Main"',
      hint: 'declare one: "test tcName [main=M]: { M, … };"',
      at: first?.declaration.name.at ?? { source: 0, start: 0, end: 0 },
    })
    return []
  }
  const { name, at } = main.declaration
  const bindings = bound.map(({ declaration }) => ({ machine: declaration.name, as: declaration.name, at }))
  const module = modules.flatten({ kind: 'bind', bindings, at })
  const shape = module && caseOf(project, { module, main: 'Main', at: name.at, name })
  if (shape === undefined) return []
  const monitors = options.allMonitors === true ? machines.filter((machine) => machine.kind !== 'machine') : []
  const over = new Set<MachineSymbol>(bound)
  const attached = monitors.map((monitor) => ({ monitor, over }))
  return [{ ...shape, name: 'DefaultImpl', at: undefined, monitors: attached, params: defaults(project) }]
}

function defaults(project: Project): Assignment {
  const parameters = [...project.globals.parameters.values()]
  return new Map(parameters.map(({ name, type }) => [name, type.kind === 'bool' ? false : 0]))
}

interface Wanted {
  readonly module: Module
  readonly main: string
  /** Where the machine is named, or the test that names none. */
  readonly at: Span
  readonly name: Name
}

function caseOf(project: Project, { module, main, at, name }: Wanted): TestCase | undefined {
  const missing = [...createdIn(module)].find((created) => !module.bindings.has(created))
  if (missing !== undefined) {
    refuse(project, {
      code: 'E720',
      message: `"${missing}" is created, but nothing in the module is bound to it`,
      hint: `add the machine to the module: "{ …, ${missing} }"`,
      at: name.at,
    })
    return undefined
  }
  const machine = [...module.bindings.values()].find((bound) => bound.name === main)
  if (machine === undefined) {
    refuse(project, {
      code: 'E721',
      message: `the machine "${main}", where it all begins, is not in the module`,
      hint: `name one that is: "[main=M]", or add "${main}" to the module`,
      at,
    })
    return undefined
  }
  if (machine.payload.kind !== 'void') {
    refuse(project, {
      code: 'E721',
      message: `"${main}", where it all begins, needs a payload of type "${typeText(machine.payload)}"`,
      hint: 'nobody creates it, so nobody can give it one: begin with a machine that takes nothing',
      at,
    })
    return undefined
  }
  const creates = createsOf(project, module, name)
  if (creates === undefined) return undefined
  const machines = [...new Set(module.bindings.values())]
  const monitors = [...module.monitors].map(([monitor, over]) => ({
    monitor,
    over: new Set(over.flatMap((bound) => module.bindings.get(bound) ?? [])),
  }))
  return { name: name.text, at: name.at, params: new Map(), main: machine, machines, creates, monitors }
}

/** Links belong to interfaces; a machine that is bound to two of them must mean the same by the same name. */
function createsOf(project: Project, module: Module, test: Name): TestCase['creates'] | undefined {
  const creates = new Map<MachineSymbol, Map<string, MachineSymbol>>()
  for (const [bound, links] of module.links) {
    const machine = module.bindings.get(bound)
    if (machine === undefined) continue
    const known = creates.get(machine) ?? new Map<string, MachineSymbol>()
    creates.set(machine, known)
    for (const [name, is] of links) {
      const target = module.bindings.get(is)
      if (target === undefined) continue
      const other = known.get(name)
      if (other !== undefined && other !== target) {
        refuse(project, {
          code: 'E720',
          message: `"${machine.name}" is bound twice, and by "${name}" means "${other.name}" once and "${target.name}" once`,
          hint: 'give the two their own machines',
          at: test.at,
        })
        return undefined
      }
      known.set(name, target)
    }
  }
  return creates
}
