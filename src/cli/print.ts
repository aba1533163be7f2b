/** Diagnostics and colours on the streams. */
import type { Diagnostic } from '../core/diagnostic.ts'
import { jsonText } from '../reports/json.ts'
import { plainPaint } from '../reports/paint.ts'
import { type TextOptions, textDiagnostics, textWarnings } from '../reports/text.ts'
import type { TypedFlags } from './arguments.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { type Io, usesAscii, usesColor } from './io.ts'
import { colours } from './terminal.ts'

export function textOptions(io: Io, flags: TypedFlags = {}): TextOptions {
  return { paint: usesColor(io, flags.color) ? colours : plainPaint, ascii: usesAscii(io, flags.ascii) }
}

export function printDiagnostics(diagnostics: readonly Diagnostic[], io: Io, flags: TypedFlags = {}): void {
  if (diagnostics.length > 0) io.stderr.write(`${textDiagnostics(diagnostics, textOptions(io, flags))}\n`)
}

/** What is wrong, and does not keep the command from going on. */
export function printWarnings(warnings: readonly Diagnostic[], io: Io, flags: TypedFlags = {}): void {
  if (warnings.length > 0) io.stderr.write(`${textWarnings(warnings, textOptions(io, flags))}\n`)
}

/** A command that could not be run: the mistakes, and the one object that JSON readers wait for. */
export function refuse(diagnostics: readonly Diagnostic[], io: Io, flags: TypedFlags = {}): ExitCode {
  printDiagnostics(diagnostics, io, flags)
  const wantsJson = flags.json === true || flags.reporter?.includes('json') === true
  if (wantsJson) io.stdout.json(jsonText([], diagnostics))
  return exitCodes.mistake
}
