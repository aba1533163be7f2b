/**
 * Clients as text, in the notation of Violat: `{ push(1) } || { push(2); pop() } || { pop() }`. Calls that run first,
 * alone, stand in brackets before: `[ put(0, 1) ] { … } || { … }`. `$1` is what the first call of the same process
 * returned.
 */
import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../../core/diagnostic.ts'
import type { Client, ClientArgument, ClientCall } from './client.ts'
import { ClientReader, identifier, printName, printValue, readList, readString, readValue } from './client-literal.ts'
import { clientMistake } from './client-mistake.ts'

export interface ParseClientOptions {
  /** Names that calls may have; without them every name is taken. */
  readonly operations?: readonly string[] | undefined
  /** The hint for a name that is not among them; lists them unless given. */
  readonly suggest?: ((name: string, known: readonly string[], listed: string) => string) | undefined
  /** Where the text came from, if it is a file or an option that can be named: '--client'. */
  readonly file?: string | undefined
}

/** Unknown operations and wrong `$n` are all reported; what cannot be read at all ends the reading. */
export function parseClient(text: string, options: ParseClientOptions = {}): Result<Client> {
  const mistakes: Diagnostic[] = []
  try {
    const reader = new ClientReader(text, options.file)
    const client = readClient({ reader, options, mistakes })
    return mistakes.length === 0 ? success(client) : failure(...mistakes)
  } catch (error) {
    if (error instanceof DiagnosticError) return failure(...mistakes, error.diagnostic)
    throw error
  }
}

/** The inverse of `parseClient`. */
export function printClient({ setup = [], processes }: Client): string {
  const first = setup.length === 0 ? '' : `[ ${printCalls(setup)} ] `
  return first + processes.map((calls) => (calls.length === 0 ? '{ }' : `{ ${printCalls(calls)} }`)).join(' || ')
}

function printCalls(calls: readonly ClientCall[]): string {
  return calls.map(printCall).join('; ')
}

export function printCall({ operation, args }: ClientCall): string {
  return `${printName(operation)}(${args.map(printArgument).join(', ')})`
}

function printArgument(argument: ClientArgument): string {
  return argument.kind === 'result' ? `$${argument.call + 1}` : printValue(argument.value)
}

interface Reading {
  readonly reader: ClientReader
  readonly options: ParseClientOptions
  readonly mistakes: Diagnostic[]
}

const between = 'processes are written { … } || { … }'

function readClient(reading: Reading): Client {
  const { reader } = reading
  const example = 'a client looks like { push(1) } || { push(2); pop() }'
  if (reader.ended) reader.fail('it is empty', example)
  const setup = reader.took('[') ? readCalls(reading, ']', 'the setup') : []
  const processes: (readonly ClientCall[])[] = []
  do {
    reader.expect('{', 'at the beginning of a process', processes.length === 0 ? example : between)
    processes.push(readCalls(reading, '}', 'a process'))
  } while (reader.took('||'))
  if (!reader.ended) reader.fail(`expected || or the end after a process, found ${reader.next()}`, between)
  return setup.length === 0 ? { processes } : { setup, processes }
}

/** The calls up to the closing bracket; a semicolon may follow the last. */
function readCalls(reading: Reading, close: string, what: string): readonly ClientCall[] {
  const { reader } = reading
  const calls: ClientCall[] = []
  if (reader.text.charAt(reader.at) === close) reader.fail(`${what} makes at least one call`)
  while (!reader.took(close)) {
    calls.push(readCall(reading, calls.length))
    if (!reader.took(';') && reader.text.charAt(reader.at) !== close)
      reader.fail(
        `expected ; or ${close} after a call, found ${reader.next()}`,
        reader.text.charAt(reader.at) === ',' ? 'calls are separated by ;' : undefined,
      )
  }
  return calls
}

function readCall(reading: Reading, position: number): ClientCall {
  const { reader } = reading
  const start = reader.at
  const operation = /["']/.test(reader.text.charAt(start))
    ? readString(reader)
    : (reader.match(identifier) ?? reader.fail(`expected a call, found ${reader.next()}`))
  checkOperation(reading, operation, start)
  if (reader.text.charAt(reader.at) !== '(')
    reader.fail(
      `expected ( after ${operation}, found ${reader.next()}`,
      `a call without arguments is written ${operation}()`,
    )
  const args = readList(reader, ['(', ')'], `the arguments of ${operation}`, () => readArgument(reading, position))
  return { operation, args }
}

function checkOperation({ reader, options, mistakes }: Reading, operation: string, at: number): void {
  const { operations, suggest = list } = options
  if (operations === undefined || operations.includes(operation)) return
  const hint = suggest(operation, operations, 'operations')
  const { text, file } = reader
  mistakes.push(clientMistake({ message: `there is no operation ${operation}`, hint, at, text, file }))
}

function list(_name: string, known: readonly string[], listed: string): string {
  return `${listed}: ${known.join(', ')}`
}

function readArgument({ reader, mistakes }: Reading, position: number): ClientArgument {
  const at = reader.at
  const reference = reader.match(/\$\d+(?![\p{ID_Continue}$])/uy)
  if (reference === undefined) return { kind: 'value', value: readValue(reader) }
  const call = Number(reference.slice(1)) - 1
  if (call < 0 || call >= position) {
    const { text, file } = reader
    const message = `${reference} is not the result of an earlier call of this process`
    const hint =
      position === 0
        ? 'the first call has no earlier ones'
        : `earlier results are $1${position === 1 ? '' : ` to $${position}`}`
    mistakes.push(clientMistake({ message, hint, at, text, file }))
  }
  return { kind: 'result', call }
}
