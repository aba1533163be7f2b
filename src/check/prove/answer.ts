/** What code gets for the engine `sequentialize`: a proof, or what small sizes show, as `allways prove` answers. */
import { type Diagnostic, failure, type Result, success } from '../../core/diagnostic.ts'
import { sequentialization } from '../../engines/sequentialize/engine.ts'
import type { Program } from '../../program/program.ts'
import { parseBytes, parseDuration } from '../budget.ts'
import type { CheckOptions, CheckRequest } from '../request.ts'
import type { Checked } from '../run.ts'
import { proveProgram } from './prove.ts'

/** What a search for a proof takes; with other options, the engine is asked as any other, and says which of them it has. */
const ofProofs: ReadonlySet<string> = new Set(['engine', 'time', 'memory', 'signal', 'strict', 'allowIncomplete'])

/** Long enough for a busy machine: most proofs take milliseconds, and small sizes end by themselves. */
const usualTime = '1m'

export function asksForProof(program: Program, options: CheckOptions): boolean {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const isSized = program.views.icet !== undefined
  return isSized && options.engine === sequentialization.name && given.every(([name]) => ofProofs.has(name))
}

export async function proofAnswer(
  program: Program,
  { time, memory, signal }: CheckOptions,
  atCall: (diagnostic: Diagnostic) => Diagnostic,
): Promise<Result<{ readonly request: CheckRequest; readonly checked: Checked }>> {
  const milliseconds = parseDuration(time ?? usualTime, 'time')
  const bytes = memory === undefined ? success(undefined) : parseBytes(memory, 'memory')
  if (!milliseconds.ok) return failure(...milliseconds.diagnostics.map(atCall))
  if (!bytes.ok) return failure(...bytes.diagnostics.map(atCall))
  const proved = await proveProgram(program, {
    milliseconds: milliseconds.value,
    bytes: bytes.value,
    signal,
    now: () => performance.now(),
  })
  if (!proved.ok) return proved
  const { request, checked, refused = [] } = proved.value
  // Code has no second place to be told what was not read: where nothing else was found, that is the answer.
  return refused.length > 0 && checked.verdict.kind === 'incomplete'
    ? failure(...refused)
    : success({ request, checked })
}
