/** Commands as users paste them into a shell. */
import type { CheckOptions } from '../check/request.ts'
import type { ClassOrigin } from '../core/trace.ts'
import type { ReportedFinding } from '../reports/result.ts'

/** A class has no messages to draw. The file is that of the program, where it must be said. */
export function traceCommands(
  path: string,
  isClass: boolean,
  file?: string,
): Pick<ReportedFinding, 'replayCommand' | 'showCommand'> {
  const replay = replayCommand(path, file)
  return isClass
    ? { replayCommand: replay }
    : { replayCommand: replay, showCommand: `npx allways show ${quotedFile(path)} --reporter mermaid` }
}

/** With the file of the program, where it must be said. */
export function resumeCommand(command: 'check' | 'linearize', path: string, file?: string): string {
  return `npx allways ${command} --resume ${quotedFile(path)}${file === undefined ? '' : ` ${quotedFile(file)}`}`
}

export function replayCommand(path: string, file?: string): string {
  return `npx allways replay ${quotedFile(path)}${file === undefined ? '' : ` ${quotedFile(file)}`}`
}

/** Explores one program of a file. */
export function checkCommand(file: string, program: string): string {
  return `npx allways check ${quotedFile(file)} -t ${quoted(program)}`
}

/** Prints the repair of a class as a patch, from the same clients. */
export function fixCommand(file: string, { origin, name, options }: CheckedClass): string {
  const which = origin.kind === 'class' ? ['--class', origin.name] : ['-t', name]
  const { clients = [], processes, calls, specification, criterion, granularity, deadlock } = options
  const words = [
    ...which,
    ...(origin.kind === 'class' ? origin.args.flatMap((text) => ['--args', text]) : []),
    ...clients.flatMap((text) => ['--client', text]),
    ...Object.entries({ processes, calls, spec: specification, criterion, granularity, deadlock }).flatMap(
      ([flag, value]) => (value === undefined ? [] : [`--${flag}`, String(value)]),
    ),
  ]
  return ['npx allways linearize', quotedFile(file), ...words.map(quoted), '--fix --dry-run'].join(' ')
}

interface CheckedClass {
  readonly origin: ClassOrigin
  readonly name: string
  readonly options: CheckOptions
}

/** With the specification only if it was typed: that of the file may say more than its name. */
export function htmlCommand(file: string, specification: string | undefined): string {
  const named = specification === undefined ? '' : ` --spec ${quoted(specification)}`
  return `npx allways linearize ${quotedFile(file)}${named} --html history.html`
}

/** One that is named like an option is named from here. */
function quotedFile(path: string): string {
  return quoted(path.startsWith('-') ? `./${path}` : path)
}

function quoted(path: string): string {
  return /^[\w./:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
