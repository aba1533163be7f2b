/** What prove says of a program, if it reads it with this extractor. */
import { createHash } from 'node:crypto'
import { runInThisContext } from 'node:vm'
import { confirmedByExecution } from '../../src/check/prove/executed.ts'
import { checkProof } from '../../src/engines/sequentialize/kernel.ts'
import { sequentialize } from '../../src/engines/sequentialize/sequentialize.ts'
import { type Icet, statementsOf } from '../../src/program/icet.ts'
import { Divergence } from '../../src/semantics/icet/divergence.ts'
import { processText } from '../unit/frontends/icet/extracted.ts'
import type { Extract } from './extractor.ts'
import type { Question } from './questions.ts'

export interface Answer {
  /** 'refused E416', 'read', 'proved', 'assertions left', 'not canonical: …', or that the extractor breaks. */
  readonly said: string
  /** Places, messages and hints of what is refused, or the term. */
  readonly text: string
  readonly icet?: Icet
  /** The term with its places and numbers. */
  readonly whole?: string
}

/** Mutants may go on for ever. */
const longestMilliseconds = 10_000

/** Runs, for some time at most; what breaks or goes on for ever is told as the answer. */
export function guarded<T>(run: () => T): T | { readonly broken: string } {
  let result: T | undefined
  const job = () => {
    result = run()
  }
  ;(globalThis as { $job?: () => void }).$job = job
  const limit = Error.stackTraceLimit
  try {
    Error.stackTraceLimit = 0
    runInThisContext('globalThis.$job()', { timeout: longestMilliseconds })
    return result as T
  } catch (error) {
    return { broken: error instanceof Error ? error.message : String(error) }
  } finally {
    Error.stackTraceLimit = limit
  }
}

/** All that can be said without executing the program; the known answer itself if the term is the same. */
export function answerOf(question: Question, extract: Extract, known?: Answer): Answer {
  try {
    return read(question, extract, known)
  } catch (error) {
    return { said: 'breaks', text: error instanceof Error ? error.message : String(error) }
  }
}

function read(
  { source, file, at, files = {}, isTelling = false }: Question,
  extract: Extract,
  known: Answer | undefined,
): Answer {
  const found = extract({
    source,
    file,
    at,
    readModule: (specifier) => {
      const text = files[specifier]
      return text === undefined ? undefined : { source: text, file: `${specifier.replace('./', '')}.ts` }
    },
  })
  if (!found.ok) {
    const codes = [...new Set(found.diagnostics.map(({ code }) => code))].sort()
    const lines = found.diagnostics.map(
      ({ code, place, message, hint }) => `${code} ${place?.line}:${place?.column} ${message} | ${hint}`,
    )
    return { said: `refused ${codes.join(' ')}`, text: lines.join('\n') }
  }
  const icet = found.value
  const whole = JSON.stringify(icet)
  if (known?.whole === whole) return known
  return { said: isTelling ? 'read' : saidOf(icet), text: termText(icet), icet, whole }
}

function saidOf(icet: Icet): string {
  const result = sequentialize(icet)
  if (result.kind === 'not canonical') return `not canonical: ${result.reason}`
  return checkProof(icet, result.proof) === undefined ? result.kind : 'a proof that does not hold'
}

function termText({ name, parameters, processes }: Icet): string {
  const sizes = parameters.map(
    (one) => `${one.name} = ${one.size} from ${one.least} at ${one.place.line}:${one.place.column}`,
  )
  const numbers = processes.flatMap(({ body }) =>
    [...statementsOf(body)].map(({ id, place }) => `${id} at ${place.line}:${place.column}`),
  )
  // How a loop named its processes, which their executions are compared by.
  const named = processes.flatMap(({ spawnedAs }) => (spawnedAs === undefined ? [] : [JSON.stringify(spawnedAs)]))
  return [`${name}(${sizes.join(', ')})`, ...processes.map(processText), ...named, numbers.join(', ')].join('\n')
}

/** As it is written down: codes with their places, or what the prover says of the term and a few digits of the term. */
export function knownText({ said, text, icet }: Answer): string {
  if (icet === undefined) return [said, ...text.split('\n').map((line) => line.split(' ')[1])].join(' ')
  return `${said}, term ${createHash('sha256').update(text).digest('hex').slice(0, 8)}`
}

/** What the program's own executions say of its term, as before every proof. */
export async function confirmation({ program }: Question, icet: Icet): Promise<string> {
  const host = { now: () => performance.now(), memory: () => 0, pause: async () => undefined }
  try {
    const { violated } = await confirmedByExecution(program(), icet, { host, budget: {}, signal: undefined })
    return violated === undefined ? 'confirmed' : 'violated'
  } catch (error) {
    if (error instanceof Divergence) return 'diverges'
    return 'breaks'
  }
}
