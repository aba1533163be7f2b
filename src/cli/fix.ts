/** `--fix`: the repair of a class as a patch on stdout, or in its files. */
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeWhole } from '../artifact/write.ts'
import { located } from '../check/locate.ts'
import { declaredAt } from '../check/objects/declared-at.ts'
import { type Patch, patchText, verifiedPatch } from '../check/objects/patch.ts'
import { type CheckRequest, checkRequest } from '../check/request.ts'
import type { Diagnostic } from '../core/diagnostic.ts'
import { evidenceOf } from '../core/evidence.ts'
import type { BudgetName, Stumble } from '../core/verdict.ts'
import type { Reported } from '../reports/result.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'
import type { SearchSession } from './run-searches.ts'
import type { ProgramSearch } from './search.ts'
import { unlessUnwritable } from './written.ts'

interface Fix {
  readonly search: ProgramSearch
  readonly way: 'print' | 'write'
}

/** Nothing is printed or written that was not checked before. */
export async function fixed(
  { program, verdict, seconds }: Reported,
  { search: { selected, options }, way }: Fix,
  session: SearchSession,
): Promise<ExitCode> {
  const { output, signal, io } = session
  if (verdict.kind !== 'violated') return exitCodes.ok
  if (signal.aborted) return cutShort('interrupt', program, io)
  if (verdict.unexplained !== undefined) return cutShort(verdict.unexplained, program, io)
  if (verdict.stumbled !== undefined) {
    output.diagnostics([located(declaredAt(noCauses(program, verdict.stumbled), selected.program))])
    return exitCodes.mistake
  }
  const [causes] = evidenceOf(verdict.evidence, 'sections')
  const sections = causes?.applied?.sections ?? causes?.repairs[0]?.sections
  if (sections === undefined || sections.length === 0) {
    output.diagnostics([located(declaredAt(noRepair(program), selected.program))])
    return exitCodes.mistake
  }
  const request = checkRequest(selected.program, { ...options, signal })
  const patch = request.ok
    ? await verifiedPatch({ selected, request: withTimeLeft(request.value, seconds), sections })
    : request
  if (typeof patch === 'string') return cutShort(patch, program, io)
  if (!patch.ok && signal.aborted) return cutShort('interrupt', program, io)
  if (!patch.ok) {
    output.diagnostics(patch.diagnostics.map((one) => located(declaredAt(one, selected.program))))
    return exitCodes.mistake
  }
  const { patches, clients } = patch.value
  if (way === 'print') output.patch(patchText(patches))
  else for (const one of patches) write(one, clients, session)
  return exitCodes.ok
}

/** A patch is part of one check: what finding the violation and its causes took is taken. */
function withTimeLeft(request: CheckRequest, seconds: number): CheckRequest {
  const { milliseconds } = request.budget
  if (milliseconds === undefined) return request
  return { ...request, budget: { ...request.budget, milliseconds: Math.max(0, milliseconds - 1000 * seconds) } }
}

function cutShort(because: BudgetName, program: string, io: Io): ExitCode {
  const cut = because === 'interrupt' ? 'interrupted' : `stopped by --${because}`
  io.stderr.write(` ${cut}: a patch for ${program} was not looked for to the end\n`)
  return exitCodes.incomplete
}

function write({ file, after }: Patch, clients: number, { io }: SearchSession): void {
  const done = (): string => {
    // A user's file may be a link to where it is, and keeps its mode.
    const path = realpathSync(resolve(file))
    writeWhole(path, after, { mode: statSync(path).mode })
    return file
  }
  if (unlessUnwritable(done, 'patch', { io }) === undefined) return
  const verified = clients === 1 ? 'the only client verifies' : `all ${clients} clients verify`
  io.stderr.line(` patched ${file}: with the patch, ${verified}`)
}

/** A patch is checked with all clients, and would come to the same. */
function noCauses(program: string, { code, message, hint, place, frame }: Stumble): Diagnostic {
  const words = code === undefined ? message : `${message} (${code})`
  return { code: 'E305', message: `there is no patch for ${program}: ${words}`, hint, place, frame }
}

function noRepair(program: string): Diagnostic {
  return {
    code: 'E305',
    message: `there is no patch for ${program}: no lines were found that would repair it by being atomic`,
    hint: 'the picture shows which steps of other processes come in between',
  }
}
