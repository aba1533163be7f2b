/**
 * From the source of a check file to a term of ICET (Brisk §5.1), or to diagnostics that say what is outside and how to bring it
 * inside. Departures from Brisk: functions are inlined where they are called instead of first being made first-order, and local
 * computation stays, as opaque functions of the variables that it reads.
 */
import type { Node } from 'oxc-parser'
import { type Diagnostic, failure, type Result, success } from '../../../core/diagnostic.ts'
import {
  expressionsOf,
  type Icet,
  type IcetParameter,
  type IcetProcess,
  partsOf,
  statementsOf,
} from '../../../program/icet.ts'
import { unwrapped } from '../access/tree.ts'
import { walk } from '../syntax.ts'
import { processBody } from './calls.ts'
import { declarationOf, type ProgramDeclaration } from './declaration.ts'
import { type Module, Modules, type ReadModule } from './modules.ts'
import { parts } from './parts.ts'
import type { ProgramState } from './process-state.ts'
import { Refusal } from './refusal.ts'
import { addProcess } from './spawns.ts'
import { problemsOf } from './term-checks.ts'
import { tidied } from './tidy.ts'
import { Translator } from './translator.ts'

export interface IcetRequest {
  readonly source: string
  readonly file: string
  /** The `program(…)` call: its position, from 1, or the name under which the program is exported. */
  readonly at: { readonly line: number; readonly column: number } | string
  readonly readModule?: ReadModule | undefined
}

export function extractIcet({ source, file, at, readModule }: IcetRequest): Result<Icet> {
  const modules = new Modules(readModule)
  const opened = modules.open(source, file)
  if (!opened.ok) return opened
  const module = opened.value
  const call = programCall(module, at)
  if (call === undefined) return failure(noProgram(file, at))
  try {
    const declared = declarationOf(modules, module, call)
    return declared.ok ? translated(modules, declared.value) : declared
  } catch (error) {
    if (error instanceof Refusal && error.diagnostic !== undefined) return failure(error.diagnostic)
    throw error
  }
}

function translated(modules: Modules, declaration: ProgramDeclaration): Result<Icet> {
  const diagnostics: Diagnostic[] = []
  const { name, parameters } = declaration
  const program: ProgramState = {
    modules,
    processes: [],
    spawning: [],
    least: new Map(parameters.map((parameter) => [parameter.name, parameter.least])),
    report: (error) => note(diagnostics, error),
  }
  const { main, params, call } = declaration
  const state = addProcess(program, {
    name: 'main',
    count: undefined,
    daemon: false,
    place: main.frame.module.place(call),
  })
  const translator = new Translator(program, state, parts, main.frame)
  translator.attempt(
    () => processBody(translator, { callee: main, node: main.node, args: [params] }),
    (refusal) => program.report(refusal),
  )
  if (diagnostics.length > 0) return failure(...diagnostics)
  const icet = termOf(name, parameters, program)
  const problems = problemsOf(icet)
  return problems.length > 0 ? failure(...problems) : success(icet)
}

function note(diagnostics: Diagnostic[], error: unknown): void {
  if (!(error instanceof Refusal)) throw error
  const { diagnostic } = error
  if (diagnostic === undefined) return
  // Of a shared variable the first use says it all; functions that are inlined twice have each mistake twice.
  const isKnown = diagnostics.some(
    ({ code, message, place }) =>
      code === diagnostic.code &&
      message === diagnostic.message &&
      (code === 'E412' || (place?.line === diagnostic.place?.line && place?.column === diagnostic.place?.column)),
  )
  if (!isKnown) diagnostics.push(diagnostic)
}

function termOf(name: string, parameters: readonly IcetParameter[], { processes }: ProgramState): Icet {
  const all: readonly IcetProcess[] = processes.map(({ name: process, count, daemon, spawnedAs, body, place }) => ({
    name: process,
    count,
    daemon,
    ...(spawnedAs === undefined ? {} : { spawnedAs }),
    body,
    place,
  }))
  const [main, ...others] = all
  const isProcess = main !== undefined && (communicates(main) || others.some((process) => mentionsMain(process)))
  return { name, parameters, processes: tidied(isProcess ? all : others) }
}

/** A main process that only computes is left out of the term. */
function communicates({ body }: IcetProcess): boolean {
  return [...statementsOf(body)].some(({ kind }) => !['assign', 'if', 'choose', 'pick', 'end'].includes(kind))
}

function mentionsMain({ body }: IcetProcess): boolean {
  return [...statementsOf(body)].some((statement) =>
    expressionsOf(statement).some((expression) =>
      [...partsOf(expression)].some((part) => part.kind === 'process' && part.name === 'main'),
    ),
  )
}

/** The call that stands at the place, or is exported under the name. */
function programCall(module: Module, at: IcetRequest['at']): Extract<Node, { type: 'CallExpression' }> | undefined {
  if (typeof at === 'string') {
    const exported = module.exports.get(at)
    if (exported === undefined || !('type' in exported)) return undefined
    const binding = exported.type === 'Identifier' ? module.bindings.moduleScope.bindings.get(exported.name) : undefined
    const declarator = binding === undefined ? undefined : module.declarators.get(binding)
    const written = unwrapped(declarator?.init ?? exported)
    return written.type === 'CallExpression' ? written : undefined
  }
  let found: Extract<Node, { type: 'CallExpression' }> | undefined
  walk(module.source.program, {
    enter: (node) => {
      if (node.type !== 'CallExpression') return
      const spots = [node.start, unwrapped(node.callee).start, calleeNameStart(node)]
      const isHere = spots.some((start) => {
        const { line, column } = module.place({ start })
        return line === at.line && column === at.column
      })
      if (isHere) found ??= node
    },
  })
  return found
}

/** Engines give the place of the name in `allways.program(…)`. */
function calleeNameStart({ callee }: Extract<Node, { type: 'CallExpression' }>): number {
  return callee.type === 'MemberExpression' ? callee.property.start : callee.start
}

function noProgram(file: string, at: IcetRequest['at']): Diagnostic {
  const place = typeof at === 'string' ? undefined : { file, ...at }
  const where = typeof at === 'string' ? `under the name "${at}"` : 'here'
  return {
    code: 'E417',
    message: `there is no call of program(…) ${where}`,
    hint: "write export default program('name', { params: { … } }, function* ({ … }) { … }) in the check file itself",
    place,
  }
}
