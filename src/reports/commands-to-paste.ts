/** Commands as users paste them into a shell; and where a name cannot be quoted for it, what to type instead. */
import type { ClassOrigin } from '../core/trace.ts'
import type { ReportedFinding } from './result.ts'
import { quotedFor, type Shell, shellNames } from './shell.ts'

/** One word of a command that is not ours. */
interface Named {
  /** What it names, as in 'the name of the trace'. */
  readonly what: string
  readonly text: string
}

/** A class has no messages to draw. The file is that of the program, where it must be said. */
export function traceCommands(
  shell: Shell,
  { path, isClass, file }: { readonly path: string; readonly isClass: boolean; readonly file?: string | undefined },
): Pick<ReportedFinding, 'replayCommand' | 'showCommand'> {
  const replay = replayCommand(shell, path, file)
  return isClass
    ? { replayCommand: replay }
    : { replayCommand: replay, showCommand: command(shell, ['show', fileWord('trace', path), '--reporter', 'mermaid']) }
}

/** With the file of the program, where it must be said. */
export function resumeCommand(shell: Shell, verb: 'check' | 'linearize', path: string, file?: string): string {
  return command(shell, [verb, '--resume', fileWord('checkpoint', path), ...program(file)])
}

/** Only the first units of what is left. */
export function resumeUnitsCommand(shell: Shell, path: string, units: number): string {
  return command(shell, ['check', '--resume', fileWord('checkpoint', path), '--units', `${units}`])
}

/** Of a run, by whoever has the key. */
export function collectCommand(
  shell: Shell,
  run: string,
  { redis, keyFile, file }: { readonly redis: string; readonly keyFile: string; readonly file?: string },
): string {
  const words = ['--resume', run, '--workers', { what: 'url', text: redis }, '--key-file', fileWord('key', keyFile)]
  return command(shell, ['check', ...words, ...program(file)])
}

export function replayCommand(shell: Shell, path: string, file?: string): string {
  return command(shell, ['replay', fileWord('trace', path), ...program(file)])
}

/** Explores one program of a file. */
export function checkCommand(shell: Shell, file: string, name: string): string {
  return command(shell, ['check', ...program(file), '-t', { what: 'name', text: name }])
}

/** Prints the repair of a class as a patch, from the same clients. */
export function fixCommand(shell: Shell, file: string, { origin, name, options }: CheckedClass): string {
  const which = origin.kind === 'class' ? ['--class', classWord(origin.name)] : ['-t', { what: 'name', text: name }]
  const { clients = [], processes, calls, specification, criterion, granularity, deadlock } = options
  const args = origin.kind === 'class' ? origin.args : []
  return command(shell, [
    'linearize',
    ...program(file),
    ...which,
    ...args.flatMap((text) => ['--args', { what: 'arguments', text }]),
    ...clients.flatMap((text) => ['--client', { what: 'client', text }]),
    ...Object.entries({ processes, calls, spec: specification, criterion, granularity, deadlock }).flatMap(
      ([flag, value]) => (value === undefined ? [] : [`--${flag}`, { what: flag, text: String(value) }]),
    ),
    '--fix',
    '--dry-run',
  ])
}

interface CheckedClass {
  readonly origin: ClassOrigin
  readonly name: string
  /** What was said of its clients. */
  readonly options: {
    readonly clients?: readonly string[] | undefined
    readonly processes?: unknown
    readonly calls?: unknown
    readonly specification?: string | undefined
    readonly criterion?: string | undefined
    readonly granularity?: string | undefined
    readonly deadlock?: string | undefined
  }
}

/** With the specification only if it was typed: that of the file may say more than its name. */
export function htmlCommand(shell: Shell, file: string, specification: string | undefined): string {
  const named = specification === undefined ? [] : ['--spec', { what: 'specification', text: specification }]
  return command(shell, ['linearize', fileWord('history', file), ...named, '--html', 'history.html'])
}

function program(file: string | undefined): readonly Named[] {
  return file === undefined ? [] : [fileWord('file', file)]
}

function classWord(name: string): Named {
  return { what: 'class', text: name }
}

/** One that is named like an option is named from here. */
function fileWord(what: string, path: string): Named {
  return { what, text: path.startsWith('-') ? `./${path}` : path }
}

function command(shell: Shell, words: readonly (string | Named)[]): string {
  const unfit = words.find((word) => typeof word !== 'string' && quotedFor(shell, word.text) === undefined)
  const written = words.map((word) => (typeof word === 'string' ? word : quotedFor(shell, word.text)))
  if (unfit === undefined || typeof unfit === 'string') return ['npx allways', ...written].join(' ')
  const typed = words.map((word) => (typeof word === 'string' ? word : word.what.toUpperCase()))
  const why = `the ${unfit.what} has letters that cannot be pasted into ${shellNames[shell]}`
  return `(${why}: type allways ${typed.join(' ')} yourself)`
}
