/** `--fix`: the repair of a class as a patch on stdout, or in its files. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { located } from '../check/locate.ts'
import { declaredAt } from '../check/objects/declared-at.ts'
import { type Patch, patchesFor, patchText } from '../check/objects/patch.ts'
import type { Diagnostic } from '../core/diagnostic.ts'
import { evidenceOf } from '../core/evidence.ts'
import type { Reported } from '../reports/result.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'
import type { SearchSession } from './run-searches.ts'
import { unlessUnwritable } from './search.ts'
import type { SelectedProgram } from './select-programs.ts'

interface Fix {
  readonly declared: SelectedProgram['program']
  readonly way: 'print' | 'write'
}

export function fixed({ program, verdict }: Reported, { declared, way }: Fix, { output, io }: SearchSession): ExitCode {
  if (verdict.kind !== 'violated') return exitCodes.ok
  const [causes] = evidenceOf(verdict.evidence, 'sections')
  const sections = causes?.applied?.sections ?? causes?.repairs[0]?.sections
  if (sections === undefined || sections.length === 0) {
    output.diagnostics([located(declaredAt(noRepair(program), declared))])
    return exitCodes.mistake
  }
  const patches = patchesFor(sections)
  if (!patches.ok) {
    output.diagnostics(patches.diagnostics)
    return exitCodes.mistake
  }
  if (way === 'print') output.text(patchText(patches.value).replace(/\n$/, ''))
  else for (const patch of patches.value) write(patch, io)
  return exitCodes.ok
}

function write({ file, after }: Patch, io: Io): void {
  const done = (): string => {
    writeFileSync(resolve(file), after)
    return file
  }
  if (unlessUnwritable(done, 'patch', { io }) !== undefined) io.stderr.write(` patched ${file}; check it again\n`)
}

function noRepair(program: string): Diagnostic {
  return {
    code: 'E305',
    message: `there is no patch for ${program}: no lines were found that would repair it by being atomic`,
    hint: 'the picture shows which steps of other processes come in between',
  }
}
