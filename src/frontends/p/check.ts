/** From parsed files to a project without mistakes, or to all the mistakes there are. */
import type { Declaration, SourceText } from './ast.ts'
import { checkBody } from './check-body.ts'
import { checkDeeds, functionsOf } from './check-deeds.ts'
import { checkMachine, declareMachine } from './check-machine.ts'
import { type CheckOptions, checkTests } from './check-test.ts'
import { declareAll } from './declare.ts'
import type { Problem } from './problem.ts'
import { emptyProject, type Project } from './project.ts'
import type { Checked, TestCase } from './symbols.ts'

export interface CheckedProject {
  /** Undefined if there are problems. */
  readonly checked: Checked | undefined
  /** In the order of the sources. */
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
}

export function checkProject(
  parsed: readonly { readonly declarations: readonly Declaration[] }[],
  sources: readonly SourceText[],
  options: CheckOptions = {},
): CheckedProject {
  const project = emptyProject(sources)
  declareAll(
    project,
    parsed.flatMap((file) => file.declarations),
  )
  checkFunctions(project)
  // What functions do together, and modules, are looked at when each part makes sense by itself.
  if (project.problems.length === 0) checkDeeds(project)
  const tests = project.problems.length === 0 ? checkTests(project, options) : []
  return {
    checked: project.problems.length === 0 ? checkedOf(project, tests) : undefined,
    problems: inOrder(project.problems),
    warnings: inOrder(project.warnings),
  }
}

function checkFunctions(project: Project): void {
  const machines = [...project.globals.machines.values()]
  for (const machine of machines) declareMachine(project, machine)
  for (const machine of machines) checkMachine(project, machine)
  for (const symbol of project.globals.functions.values()) checkBody(project, symbol)
  for (const machine of machines) {
    for (const symbol of functionsOf(machine)) if (symbol.machine === machine) checkBody(project, symbol)
  }
}

function checkedOf(project: Project, tests: readonly TestCase[]): Checked {
  const { globals, sources, types, meanings, written, callees, bodies, caseEvents } = project
  return {
    sources,
    events: [...globals.events.values()],
    machines: [...globals.machines.values()],
    functions: [...globals.functions.values()],
    parameters: [...globals.parameters.values()],
    tests,
    types,
    meanings,
    written,
    callees,
    bodies,
    caseEvents,
  }
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted(
    (left, right) => left.at.source - right.at.source || left.at.start - right.at.start || left.at.end - right.at.end,
  )
}
