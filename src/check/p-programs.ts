/** Programs of P from their sources: one for each test, or one for the whole where there is none. */
import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../core/diagnostic.ts'
import { suggestion } from '../core/did-you-mean.ts'
import type { OptionDeclarations } from '../core/options.ts'
import type { Setting } from '../core/setting.ts'
import type { LoadedProgram } from '../frontends/frontend.ts'
import type { Declaration } from '../frontends/p/ast.ts'
import { checkProject } from '../frontends/p/check.ts'
import { lower } from '../frontends/p/lower.ts'
import { parse } from '../frontends/p/parser.ts'
import { type Problem, placeOf, toDiagnostic } from '../frontends/p/problem.ts'
import type { Checked, MachineSymbol, TestCase } from '../frontends/p/symbols.ts'
import { abstracted, notAbstractable } from '../ir/abstraction/abstracted.ts'
import { type Abstraction, instanceOf } from '../ir/abstraction/abstraction.ts'
import type { ForeignFunctions, Ir } from '../ir/ir.ts'
import { deadlockOption, registerProgram } from '../program/program.ts'
import type { CalledByEvents } from '../program/refinement.ts'
import type { PSources } from './load-p-sources.ts'
import { type Abstractions, abstractionsIn, inWordsOfClasses, withoutDefinitions } from './p-abstraction.ts'
import { unwrittenIn } from './p-foreign.ts'
import { codeFrame } from './source-places.ts'

export interface Compiling {
  /** As it was read before some words became keywords. */
  readonly legacy: boolean
  /** Functions that the program declares and does not write. */
  readonly foreign?: ForeignFunctions | undefined
  /** Types that are known by classes of their values. */
  readonly abstract?: Abstractions | undefined
  /** Abstract objects, and what events mean as calls of them. */
  readonly refines?: readonly CalledByEvents[] | undefined
  /** A mistake in what is given beside the sources, with its place there. */
  readonly mistaken?: ((mistake: Pick<Diagnostic, 'message' | 'hint'>) => Diagnostic) | undefined
}

export interface PPrograms {
  readonly programs: readonly LoadedProgram[]
  readonly warnings: readonly Diagnostic[]
  /** Functions that the program declares and does not write. */
  readonly unwritten: readonly string[]
}

export function pPrograms(read: PSources, compiling: Compiling): Result<PPrograms> {
  const { texts, included } = read
  const framed = (problem: Parameters<typeof toDiagnostic>[0]): Diagnostic => {
    const diagnostic = toDiagnostic(problem, texts)
    return { ...diagnostic, frame: diagnostic.place && codeFrame(diagnostic.place) }
  }
  const parsed = texts.map((text, at) => parse(text, at, compiling))
  const unread = parsed.flatMap(({ problems }) => problems)
  if (unread.length > 0) return failure(...unread.map(framed))
  // Tests of a project that is included are run with that project.
  const own = parsed.map(({ declarations }, at) => ({
    declarations: included.has(at) ? declarations.filter(({ kind }) => !isTest(kind)) : declarations,
  }))
  const { abstract = {} } = compiling
  const { abstractions, mistakes } = abstractionsIn(declarationsOf(own), abstract)
  if (mistakes.length > 0) return failure(...mistakes.map((one) => mistaken(one, compiling)))
  const known = own.map(({ declarations }) => ({ declarations: withoutDefinitions(declarations, abstract) }))
  const { checked, problems, warnings } = checkProject(known, texts, { allMonitors: true })
  if (checked === undefined || problems.length > 0)
    return failure(...problems.map((problem) => framed(inWordsOfClasses(problem, abstract))))
  const unknown = unknownEvent(checked, compiling)
  if (unknown !== undefined) return failure(mistaken(unknown, compiling))
  const programs = checked.tests.map((test) => programOf(checked, test, { ...compiling, abstractions }))
  const declared = [...checked.functions, ...checked.machines.flatMap(({ functions }) => functions)]
  const unwritten = declared.filter(({ body }) => body === undefined).map(({ name }) => name)
  // Those of a project that is included watch in the tests of that project.
  const unattached = unattachedIn(checked, ({ declaration }) => !included.has(declaration.name.at.source))
  return success({ programs, warnings: [...warnings, ...unattached].map(framed), unwritten })
}

function declarationsOf(parsed: readonly { readonly declarations: readonly Declaration[] }[]): readonly Declaration[] {
  return parsed.flatMap(({ declarations }) => declarations)
}

function mistaken(mistake: Pick<Diagnostic, 'message' | 'hint'>, { mistaken: told }: Compiling): Diagnostic {
  return told?.(mistake) ?? { code: 'E107', ...mistake }
}

/** An event that means something as a call, and that the program does not have. */
function unknownEvent(
  { events }: Checked,
  { refines = [] }: Compiling,
): Pick<Diagnostic, 'message' | 'hint'> | undefined {
  const names = events.map(({ name }) => name)
  for (const { object, calls } of refines) {
    const unknown = Object.keys(calls).find((name) => !names.includes(name))
    if (unknown === undefined) continue
    const message = `the program has no event "${unknown}", which "calls" of specification "${object.name}" names`
    return { message, hint: suggestion(unknown, names, 'events') }
  }
  return undefined
}

/** Monitors that watch nothing: those of a program without tests, unless somebody asks for them, and those that no test attaches. */
function unattachedIn({ tests, machines }: Checked, isOwn: (monitor: MachineSymbol) => boolean): readonly Problem[] {
  const monitors = machines.filter(({ kind }) => kind !== 'machine')
  if (!tests.every(isWholeProgram))
    return monitors.filter((one) => isOwn(one) && !isAsserted(one, tests)).map(unasserted)
  const [first] = monitors
  if (first === undefined) return []
  const { name } = first.declaration
  const others = monitors.length === 1 ? '' : ` and ${monitors.length - 1} more`
  return [
    {
      code: 'E732',
      message: `"${name.text}"${others} watch${monitors.length === 1 ? 'es' : ''} nothing, because no test attaches monitors`,
      hint: `declare one: "${testOf(name.text)}", or check with --monitors all`,
      at: name.at,
    },
  ]
}

function isAsserted(machine: MachineSymbol, tests: readonly TestCase[]): boolean {
  return tests.some(({ monitors }) => monitors.some(({ monitor }) => monitor === machine))
}

function unasserted({ declaration: { name } }: MachineSymbol): Problem {
  return {
    code: 'E732',
    message: `"${name.text}" watches nothing, because no test asserts it`,
    hint: `assert it in a test: "${testOf(name.text)}"`,
    at: name.at,
  }
}

function testOf(monitor: string): string {
  return `test tc [main=Main]: assert ${monitor} in { Main, … };`
}

function isTest(kind: string): boolean {
  return kind === 'test' || kind === 'implementation'
}

/** The name of the test that a program without tests is. */
const wholeProgram = 'DefaultImpl'

function isWholeProgram({ at, name }: TestCase): boolean {
  return at === undefined && name === wholeProgram
}

const monitorsOption = {
  form: 'choice',
  values: ['declared', 'all'],
  default: 'declared',
  help: 'of a P program without tests, whether all its monitors watch, or those that a test attaches: none',
} as const

/** Of each class that stands for many, so many values; more than a few differ in nothing that a short execution could show. */
const valuesOption = {
  form: 'choice',
  values: ['all', '1', '2', '3', '4', '5'],
  default: 'all',
  help: 'of abstracted types: all values at once, by their classes, or so many of each class that stands for many',
} as const

interface Compiled extends Compiling {
  readonly abstractions: readonly Abstraction[]
}

function programOf(checked: Checked, test: TestCase, compiled: Compiled): LoadedProgram {
  const { legacy, foreign = {}, abstractions, refines = [] } = compiled
  const place = test.at && placeOf(test.at, checked.sources)
  // A test says which monitors watch.
  const isWhole = isWholeProgram(test)
  const options: OptionDeclarations = {
    deadlock: deadlockOption('error'),
    ...(isWhole ? { monitors: monitorsOption } : {}),
    // Said in every trace, so that the program is read again as it was.
    ...(legacy ? { legacy: legacyOption } : {}),
    ...(abstractions.length === 0 ? {} : { values: valuesOption }),
  }
  const ir = (setting: Setting): Ir => {
    const isAttached = !isWhole || setting.options.monitors === 'all'
    const lowered = lower(checked, isAttached ? test : { ...test, monitors: [] })
    const program = overClasses(lowered, abstractions, setting)
    const [first, ...others] = unwrittenIn(program, foreign)
    if (first !== undefined) throw new DiagnosticError(first, ...others)
    return { ...program, foreign }
  }
  const program = registerProgram({
    name: test.name,
    params: {},
    every: {},
    network: 'sender-queue',
    options,
    ...(abstractions.length === 0 ? {} : { abstracts: abstractions.map(({ type }) => type) }),
    ...(refines.length === 0 ? {} : { refined: refines.map(({ object: { name } }) => name) }),
    views: { ir: (setting, witness) => ({ program: ir(setting), setting, witness, refines }) },
    stack: undefined,
    place,
  })
  return { exportName: test.name, program, place }
}

function overClasses(ir: Ir, abstractions: readonly Abstraction[], { options }: Setting): Ir {
  if (abstractions.length === 0) return ir
  const [first, ...others] = notAbstractable(ir, abstractions).map((one) => ({
    ...one,
    frame: one.place && codeFrame(one.place),
  }))
  if (first !== undefined) throw new DiagnosticError(first, ...others)
  const { values = 'all' } = options
  return abstracted(ir, values === 'all' ? abstractions : abstractions.map((one) => instanceOf(one, Number(values))))
}

const legacyOption = { form: 'switch', default: true, help: 'P as it was before some words became keywords' } as const
