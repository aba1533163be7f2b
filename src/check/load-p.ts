/** The P front end: a program for each test that a P file, a folder of them or a P project declares. Nothing of it is run when it is loaded. */
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { Admission, FrontEnd, LoadedFile, LoadedProgram } from '../frontends/frontend.ts'
import { checkProject } from '../frontends/p/check.ts'
import { lower } from '../frontends/p/lower.ts'
import { parse } from '../frontends/p/parser.ts'
import { placeOf, toDiagnostic } from '../frontends/p/problem.ts'
import type { Checked, TestCase } from '../frontends/p/symbols.ts'
import { deadlockOption, registerProgram } from '../program/program.ts'
import { isPSource, type PSources, readPSources } from './load-p-sources.ts'
import { codeFrame } from './source-places.ts'

export const p: FrontEnd = {
  reads: 'a P program',
  extensions: ['.p', '.pproj'],
  checkFiles: /\.pproj$/,
  shownNames: ['*.pproj'],
  readsFolder: (names) => names.some(isPSource) && !names.some((name) => name.endsWith('.pproj')),
  load,
}

async function load(path: string, shown: string, admits?: Admission): Promise<Result<LoadedFile>> {
  const read = readPSources(path)
  if (!read.ok) return read
  const refused = admits?.(read.value)
  if (refused !== undefined) return failure(refused)
  const { digest, sources } = read.value
  const checked = compiled(read.value)
  if (!checked.ok) return checked
  const programs = checked.value.tests.map((test) => programOf(checked.value, test))
  return success({ file: shown, programs, digest, sources })
}

function compiled({ texts, included }: PSources): Result<Checked> {
  const framed = (problem: Parameters<typeof toDiagnostic>[0]): Diagnostic => {
    const diagnostic = toDiagnostic(problem, texts)
    return { ...diagnostic, frame: diagnostic.place && codeFrame(diagnostic.place) }
  }
  const parsed = texts.map((text, at) => parse(text, at, { legacy: false }))
  const unread = parsed.flatMap(({ problems }) => problems)
  if (unread.length > 0) return failure(...unread.map(framed))
  // Tests of a project that is included are run with that project.
  const own = parsed.map(({ declarations }, at) => ({
    declarations: included.has(at) ? declarations.filter(({ kind }) => !isTest(kind)) : declarations,
  }))
  const { checked, problems } = checkProject(own, texts, { allMonitors: false })
  return checked === undefined || problems.length > 0 ? failure(...problems.map(framed)) : success(checked)
}

function isTest(kind: string): boolean {
  return kind === 'test' || kind === 'implementation'
}

function programOf(checked: Checked, test: TestCase): LoadedProgram {
  const place = test.at && placeOf(test.at, checked.sources)
  const program = registerProgram({
    name: test.name,
    params: {},
    every: {},
    network: 'sender-queue',
    options: { deadlock: deadlockOption('error') },
    views: { ir: (setting) => ({ program: lower(checked, test), setting }) },
    stack: undefined,
    place,
  })
  return { exportName: test.name, program, place }
}
