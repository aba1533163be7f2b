/**
 * Assertions over data that a proof by sequentialization leaves open (Brisk §5.2 asks an SMT solver too): does what is known at
 * an assertion imply it, for all values of what is unknown?
 */
import type { Obligation } from '../../engines/sequentialize/state.ts'
import type { IcetParameter } from '../../program/icet.ts'
import { builtinOf } from './builtins.ts'
import { type Cell, textOf } from './cells.ts'
import { type Encoded, encode } from './encode.ts'
import { type Model, readModel } from './model.ts'
import { counterexampleIn, type Witness } from './replay.ts'
import { type Answer, openSolver, type Solver } from './solver.ts'
import { hasName, notFollowed, witnessText } from './witness-text.ts'

export interface DischargeOptions {
  /** For each question to the solver, of which an assertion takes up to six, and one for each small size. */
  readonly milliseconds?: number
  /** For all questions together, from when the solver is there. */
  readonly whole?: { readonly milliseconds: number; readonly now: () => number } | undefined
  /** What the parameters can be; of others only that they are whole numbers. */
  readonly parameters?: readonly Pick<IcetParameter, 'name' | 'least'>[]
  readonly solver?: Solver
  /** Once it is aborted, no answer is waited for. */
  readonly signal?: AbortSignal | undefined
}

export interface Discharged {
  readonly obligation: Obligation
  /**
   * `proved`: what is known here implies it; that assertions before it hold is among what is known.
   * `refuted`: there are values for which everything known here holds and the assertion does not. Whether an execution
   * reaches them is not known.
   */
  readonly answer: 'proved' | 'refuted' | 'unknown'
  /** What a proof takes for granted, or why there is none. */
  readonly why?: string
  /** Values that refute it, as far as an execution can have them, and what they are of parameters. */
  readonly model?: string
  readonly sizes?: { readonly [parameter: string]: number }
  /** What to write instead. */
  readonly hint?: string
}

export async function discharge(
  obligations: readonly Obligation[],
  options: DischargeOptions = {},
): Promise<readonly Discharged[]> {
  if (obligations.length === 0) return []
  const { milliseconds = 5000, whole, parameters = [], solver = openSolver(), signal } = options
  const least = new Map(parameters.map((parameter) => [parameter.name, parameter.least]))
  const discharged: Discharged[] = []
  try {
    if (whole !== undefined) await unlessAborted(solver.start?.(), signal)
    const until = whole === undefined ? undefined : whole.now() + whole.milliseconds
    for (const obligation of obligations) {
      const ask = async (script: readonly string[]): Promise<Answer> => {
        const left = until === undefined ? milliseconds : Math.ceil(until - (whole?.now() ?? 0))
        if (left <= 0) return outOfTime
        if (signal?.aborted === true) return interrupted
        const isLast = until !== undefined && left <= milliseconds
        const limit = { milliseconds: isLast ? left : milliseconds, isLast }
        return (await unlessAborted(solver.ask(script.join('\n'), limit), signal)) ?? interrupted
      }
      discharged.push({ obligation, ...(await dischargeOne(encode(obligation, least), ask)) })
    }
  } finally {
    solver.close()
  }
  return discharged
}

/** What is asked for, or nothing as soon as the signal is aborted: a solver looks up from its work too seldom. */
async function unlessAborted<T>(work: Promise<T> | undefined, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (signal === undefined) return await work
  if (signal.aborted) return undefined
  let stop: (() => void) | undefined
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop)
  }
}

const interrupted: Answer = { kind: 'no answer', why: 'interrupted before' }
const outOfTime: Answer = { kind: 'no answer', why: 'the time budget (--time) was spent before' }

const notImplied = 'not implied by what is known here'

const notModelled = 'it depends on operations that are not modelled'

type Outcome = Omit<Discharged, 'obligation'>
type Ask = (script: readonly string[]) => Promise<Answer>

async function dischargeOne(encoded: Encoded, ask: Ask): Promise<Outcome> {
  const { known, fails } = encoded
  const answer = await ask([known, fails])
  switch (answer.kind) {
    case 'no answer':
      return { answer: 'unknown', why: answer.why }
    case 'impossible':
      return await proved(encoded, ask)
    case 'possible':
      return await notProved(encoded, answer.model, ask)
  }
}

async function proved({ known, condition, truths, assumptions }: Encoded, ask: Ask): Promise<Outcome> {
  // That nothing comes there is all that there is to show of a failure.
  const isFailure = condition.kind === 'constant' && condition.value === false
  const isReached = truths.length === 0 || isFailure || (await ask([known])).kind !== 'impossible'
  const reasons = isReached ? assumptions : ['what is known here contradicts itself', ...assumptions]
  return { answer: 'proved', ...(reasons.length === 0 ? {} : { why: reasons.join('; ') }) }
}

/** A counterexample with values as programs mean them refutes; one with stranger values only says that types are not known. */
async function notProved(encoded: Encoded, model: string, ask: Ask): Promise<Outcome> {
  const { known, fails, isPlain, hasFields, isSmall, isNumeric } = encoded
  const found = (text: string): Witness | undefined => counterexampleIn(readModel(text, encoded), encoded)
  const plain = [known, fails, isPlain]
  let last: Answer | undefined
  for (const script of [[...plain, hasFields, isSmall], ...(hasFields === '' ? [] : [[...plain, hasFields]]), plain]) {
    last = await ask(script)
    const values = last.kind === 'possible' ? found(last.model) : undefined
    if (last.kind !== 'possible' || values === undefined) continue
    const smallest = await smallestModel(script, encoded, ask)
    const isFound = smallest !== undefined && found(smallest) !== undefined
    const refuting = isFound ? smallest : last.model
    return refuted(found(refuting) ?? values, readModel(refuting, encoded), encoded)
  }
  if (last?.kind === 'no answer') return { answer: 'unknown', why: last.why }
  if (last?.kind === 'possible') return { answer: 'unknown', why: notModelled }
  const strange = await ask([known, fails, isNumeric, isSmall])
  const values = (strange.kind === 'possible' ? found(strange.model) : undefined) ?? found(model)
  if (values === undefined) return { answer: 'unknown', ...(await undecided(encoded, ask)) }
  const text = witnessText(values, encoded)
  if (text !== undefined) return { answer: 'unknown', why: `not implied if ${text}, which nothing here excludes` }
  return { answer: 'unknown', ...(notFollowed(cellsOf(values), encoded) ?? { why: notImplied }) }
}

function refuted(witness: Witness, model: Model, encoded: Encoded): Outcome {
  const lost = notFollowed(cellsOf(witness), encoded)
  const text = witnessText(witness, encoded)
  return {
    answer: 'refuted',
    ...(lost === undefined ? { why: notImplied } : { ...lost, why: `${notImplied}: ${lost.why}` }),
    ...(text === undefined ? {} : { model: text }),
    ...sizesIn(model, encoded),
  }
}

function cellsOf(witness: Witness): readonly Cell[] {
  return witness.map(({ cell }) => cell)
}

/** Sizes above are not worth exploring, and need not be the smallest. */
export const largestSize = 8

/** One with sizes as small as can be, the largest of them first. */
async function smallestModel(script: readonly string[], encoded: Encoded, ask: Ask): Promise<string | undefined> {
  const sizes = encoded.cells.filter(({ kind }) => kind === 'parameter')
  if (sizes.length === 0) return undefined
  for (let most = 0; most <= largestSize; most++) {
    const bounds = sizes.map(({ name }) => `(assert (<= (amount ${name}) ${most}))`)
    const answer = await ask([...script, ...bounds])
    if (answer.kind !== 'impossible') return answer.kind === 'possible' ? answer.model : undefined
  }
  return undefined
}

/** What the model says about parameters, if anything. */
function sizesIn(model: Model, { cells }: Encoded): Pick<Discharged, 'sizes'> {
  const sizes = cells.flatMap((cell) => {
    const size = cell.kind === 'parameter' ? model.get(cell.name) : undefined
    return cell.kind === 'parameter' && typeof size === 'number' ? [[cell.parameter, size]] : []
  })
  return sizes.length === 0 ? {} : { sizes: Object.fromEntries(sizes) }
}

/** What would have to be known. */
async function undecided(encoded: Encoded, ask: Ask): Promise<Pick<Discharged, 'why' | 'hint'>> {
  const { cells, known, fails, isSame } = encoded
  const answer = isSame === '' ? undefined : await ask([known, fails, isSame])
  if (answer?.kind === 'impossible')
    return { why: 'it depends on whether objects that hold the same are the same object' }
  const free = cells.filter(isFree)
  const lost = notFollowed(free, encoded)
  if (lost !== undefined) return lost
  const names = new Set(free.filter(hasName).map(textOf))
  if (free.length === 0) return { why: notModelled }
  return {
    why: `it depends on types that nothing here tells${names.size === 0 ? '' : `, of ${[...names].join(', ')}`}`,
  }
}

function isFree(cell: Cell): boolean {
  if (cell.kind === 'symbol' || cell.kind === 'some') return true
  return cell.kind === 'term' && /^([.`]|index in )/.test(cell.operator) && builtinOf(cell) === undefined
}
