/** A defect of ours: say so, keep what helps to find it, ask for a report. */
import { resolve } from 'node:path'
import { writeWhole } from '../artifact/write.ts'
import { UnconfirmedError } from '../check/judge.ts'
import { displayPath } from '../check/source-places.ts'
import { version } from '../check/version.ts'
import { outputFolder } from './flags.ts'
import type { Io } from './io.ts'

/** What was being done, as far as anybody knows. */
export interface ErrorContext {
  readonly program?: string | undefined
  readonly file?: string | undefined
  readonly engine?: string | undefined
  readonly network?: string | undefined
}

/** The message, for reports. */
export async function reportInternalError(error: unknown, io: Io, context: ErrorContext = {}): Promise<string> {
  const thrown = error instanceof Error ? error : new Error(String(error))
  const saved = await saveReport(thrown, io, context)
  const doing =
    context.program === undefined
      ? []
      : [`   while checking "${context.program}" with ${context.engine ?? 'no engine'}`]
  const lines = [
    ` x internal error: ${thrown.message}`,
    ...doing,
    '   This is a defect of allways, not of your program. Please report it with',
    ...(saved === undefined ? ['   this stack:', ...stackLines(thrown)] : [`   the file ${saved}`]),
    `   allways ${version()}, Node ${process.versions.node}, ${process.platform}`,
  ]
  for (const line of lines) io.stderr.line(line)
  return thrown.message
}

/** Marked, as the message in it may have lines that look like ours. */
function stackLines({ stack = '' }: Error): readonly string[] {
  return stack.split('\n').map((line) => `   | ${line}`)
}

/** The stack, and the decisions that led to a claim the judge refused. Nothing if even writing fails. */
async function saveReport(error: Error, io: Io, context: ErrorContext): Promise<string | undefined> {
  const folder = resolve(io.cwd, outputFolder)
  const decisions = error instanceof UnconfirmedError ? error.decisions : undefined
  const report = {
    format: 'allways-defect/1',
    version: version(),
    node: process.versions.node,
    platform: process.platform,
    ...context,
    message: error.message,
    stack: error.stack,
    decisions,
  }
  try {
    const path = resolve(folder, 'internal-error.json')
    writeWhole(path, `${JSON.stringify(report, undefined, 2)}\n`)
    return displayPath(path)
  } catch {
    return undefined
  }
}
