/** A trace on stdout, in the forms asked for: its own heading, and below it exactly what was printed when it was found. */
import type { ReporterName } from '../check/catalogue.ts'
import { jsonText } from '../reports/json.ts'
import { mermaidDiagrams } from '../reports/mermaid.ts'
import type { RecordedHeading } from '../reports/page.ts'
import type { Reported } from '../reports/result.ts'
import { textResult } from '../reports/text.ts'
import type { TypedFlags } from './arguments.ts'
import type { Io } from './io.ts'
import { textOptions } from './print.ts'

export interface TraceTerminal {
  readonly io: Io
  readonly flags: TypedFlags
  readonly reporters: readonly ReporterName[]
}

export function printRecorded(result: Reported, recorded: RecordedHeading, terminal: TraceTerminal): void {
  const { io, flags, reporters } = terminal
  for (const form of reporters) {
    if (form === 'json') io.stdout.write(`${jsonText([result])}\n`)
    if (form === 'text') io.stdout.write(`${textResult(result, { ...textOptions(io, flags), recorded })}\n`)
    if (form === 'mermaid') for (const text of mermaidDiagrams(result.verdict)) io.stdout.write(`${text}\n`)
    if (form === 'mermaid' && result.verdict.scope.criterion !== undefined)
      io.stderr.write(` note: ${result.program} exchanges no messages to draw\n`)
  }
}
