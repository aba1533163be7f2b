/** Commands as users paste them into a shell. */
import type { CheckOptions } from '../check/request.ts'
import type { ClassOrigin } from '../core/trace.ts'
import type { ReportedFinding } from '../reports/result.ts'

/** A class has no messages to draw. */
export function traceCommands(path: string, isClass: boolean): Pick<ReportedFinding, 'replayCommand' | 'showCommand'> {
  const replayCommand = `npx allways replay ${quoted(path)}`
  return isClass
    ? { replayCommand }
    : { replayCommand, showCommand: `npx allways show ${quoted(path)} --reporter mermaid` }
}

export function resumeCommand(command: 'check' | 'linearize', path: string): string {
  return `npx allways ${command} --resume ${quoted(path)}`
}

/** Explores one program of a file. */
export function checkCommand(file: string, program: string): string {
  return `npx allways check ${quoted(file)} -t ${quoted(program)}`
}

/** Prints the repair of a class as a patch, from the same clients. */
export function fixCommand(file: string, { origin, name, options }: CheckedClass): string {
  const which = origin.kind === 'class' ? ['--class', origin.name] : ['-t', name]
  const { clients = [], processes, calls, specification, criterion, granularity, deadlock } = options
  const words = [
    file,
    ...which,
    ...(origin.kind === 'class' ? origin.args.flatMap((text) => ['--args', text]) : []),
    ...clients.flatMap((text) => ['--client', text]),
    ...Object.entries({ processes, calls, spec: specification, criterion, granularity, deadlock }).flatMap(
      ([flag, value]) => (value === undefined ? [] : [`--${flag}`, String(value)]),
    ),
  ]
  return ['npx allways linearize', ...words.map(quoted), '--fix --dry-run'].join(' ')
}

interface CheckedClass {
  readonly origin: ClassOrigin
  readonly name: string
  readonly options: CheckOptions
}

/** With the specification only if it was typed: that of the file may say more than its name. */
export function htmlCommand(file: string, specification: string | undefined): string {
  const named = specification === undefined ? '' : ` --spec ${quoted(specification)}`
  return `npx allways linearize ${quoted(file)}${named} --html history.html`
}

function quoted(path: string): string {
  return /^[\w./:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
