/** What cannot be checked as it is asked: the engine sees no such programs, or decides nothing of the sort. */
import type { Diagnostic } from '../core/diagnostic.ts'
import type { PropertyKind } from '../core/property.ts'
import type { Engine } from '../engines/engine.ts'
import { engines, findEngine } from '../engines/registry.ts'
import type { Program, ViewName } from '../program/program.ts'
import { offers } from '../semantics/derive.ts'
import { servedBy } from './catalogue.ts'

export function stepsElsewhere(program: Program, engine: Engine): Diagnostic {
  return {
    code: 'E107',
    message: `maxSteps bounds processes, and engine "${engine.name}" ${engine.claims === 'proved' ? 'proves for executions of any length' : 'explores states without bound'}`,
    hint: `use --engine ${bounding(program)}, or bound the search with --time or --memory`,
  }
}

/** Of P programs, one that bounds how long executions are. */
function bounding(program: Program): string {
  if (offers(program, 'ir')) return 'symbolic'
  return offers(program, 'runnable') ? 'dpor' : 'exhaustive'
}

export function executionsElsewhere({ name, counted }: Engine): Diagnostic {
  return {
    code: 'E107',
    message: `maxExecutions stops after so many executions, and engine "${name}" counts ${counted.noun}s`,
    hint: 'leave it out, or bound the search with --time or --memory',
  }
}

export function jobOrderElsewhere({ name }: Engine): Diagnostic {
  return {
    code: 'E107',
    message: `engine "${name}" does not explore JavaScript's own job order`,
    hint: 'leave the engine out: it is exhaustive; random samples',
  }
}

export function noView(program: Program, engine: Engine): Diagnostic {
  const isP = program.views.ir !== undefined
  const others = enginesHint((other) => offers(program, other.needs))
  return {
    code: 'E301',
    message: `engine "${engine.name}" explores ${servedBy(engine.needs)}, and program "${program.name}" ${kindWords(program)}`,
    stack: program.stack,
    place: isP ? program.place : undefined,
    hint: [others, read[engine.needs]].filter((one) => one !== undefined).join('; '),
  }
}

/** Engines that read files, and no programs. */
const read: { readonly [view in ViewName]?: string } = {
  logged: 'logs of machines that ran are judged by allways check system.check.ts --log run.jsonl',
  calls: 'recorded histories are judged by allways linearize run.history.jsonl',
}

function kindWords({ views }: Program): string {
  if (views.ir !== undefined) return 'is a P program'
  if (views.object !== undefined) return 'is a check of a class'
  if (views.machines !== undefined) return 'is a system of machines'
  return Object.keys(views).length === 0 ? 'offers nothing to explore' : 'is one of processes'
}

/** What it reads and writes is seen only in a file that was loaded for that. */
export function unseenClass({ name, stack }: Program): Diagnostic {
  return {
    code: 'E308',
    message: `check() cannot see what the class "${name}" reads and writes, because it was imported as it is`,
    hint: "await checkFile('stack.check.ts') of allways or allways/vitest, which loads the file itself, or allways linearize stack.check.ts",
    stack,
  }
}

export function undecidable(program: Program, engine: Engine, kind: PropertyKind): Diagnostic {
  // Calls of P programs are judged along paths, and in whole states.
  const isUncalled = ({ needs }: Engine): boolean =>
    kind === 'refinement' && program.views.ir !== undefined && needs !== 'ir' && needs !== 'path'
  const others = enginesHint((other) => other.decides.includes(kind) && isFormFor(program, other) && !isUncalled(other))
  return {
    code: 'E302',
    message: `engine "${engine.name}" cannot decide properties of kind "${kind}", which program "${program.name}" has`,
    stack: program.stack,
    hint: kind === 'deadlock' ? `${others}; or allow processes to wait for ever: --deadlock allow` : others,
  }
}

/** Whether the program would be explored by this form of the engine, if the engine were asked for. */
function isFormFor(program: Program, engine: Engine): boolean {
  return offers(program, engine.needs) && findEngine(engine.name, (view) => offers(program, view)) === engine
}

function enginesHint(can: (engine: Engine) => boolean): string {
  const able = [...new Set(engines.filter(can).map((engine) => engine.name))]
  return able.length === 0 ? 'no engine can yet' : `engines that can: ${able.join(', ')}`
}
