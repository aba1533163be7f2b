/**
 * The one reader of the corpus' answers, `corpus/<entry>/answers.json`: by setting and engine, the verdict and exact counts. What
 * `corpus/answers.schema.json` does not know is refused, so that a misspelt field is not an answer that nobody compares.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import type { NetworkName } from '../../src/core/operation.ts'
import type { Params } from '../../src/core/setting.ts'
import type { Criterion, Reduction } from '../../src/core/verdict.ts'

export interface Answers {
  /** The folder in `corpus/`. */
  readonly name: string
  /** By export of `model.check.ts`, in entries about classes; the default one has no mistakes. */
  readonly classes?: { readonly [exportName: string]: { readonly class: string; readonly file: string } }
  readonly answers: readonly Answer[]
}

export interface Answer {
  /** The name that the README has for it. */
  readonly id?: string
  /** An export of `model.check.ts`, or a test of `model.p`. */
  readonly program: string
  readonly setting: AnswerSetting
  readonly engines: Engines
  /** Best first. */
  readonly repairs?: readonly Repair[]
  /** As printed in Table 2.1. */
  readonly thesis?: Outcomes
  readonly note?: string
}

/** What is fixed before a search; what is not told is as the program says. */
export interface AnswerSetting {
  /** `'every'` for all values at once. */
  readonly params?: Params
  readonly network?: NetworkName
  /** Over classes of values, as `all-values.check.ts` declares them. */
  readonly values?: 'all'
  readonly client?: string
  readonly criterion?: Criterion
}

export interface Engines {
  readonly dpor?: ExecutionsAnswer
  /** Interleavings, where there are few of them. */
  readonly exhaustive?: ExecutionsAnswer
  readonly local?: StatesAnswer
  readonly stateful?: StatesAnswer | OutcomesAnswer
  /** Of P programs over classes of values; elsewhere `test/agreement/p` compares it with `stateful`. */
  readonly symbolic?: StatesAnswer
  readonly pct?: StatesAnswer
  readonly sequentialize?: ProofAnswer
}

interface Searched {
  readonly verdict: 'verified' | 'passed' | 'violated'
  /** Takes about a second or more: left to a release. */
  readonly long?: true
  /** Takes many seconds: left to a soak. */
  readonly slow?: true
}

export interface ExecutionsAnswer extends Searched {
  readonly options?: { readonly eager: true }
  readonly violation?: { readonly kind: 'assertion' | 'exception' | 'deadlock' }
  readonly counts: { readonly executions: number; readonly blocked: number; readonly orphans?: number }
}

/** Those counts that are told are compared. */
export interface StatesAnswer extends Omit<Searched, 'verdict'> {
  /** Of `stateful`: states that differ in names of parties alone are one. */
  readonly options?: { readonly symmetry: true }
  readonly verdict: Searched['verdict'] | 'proved'
  /** The invariant, the failing assertion or the abstract object that is violated. */
  readonly violation?: {
    readonly property: string
    /** What the abstract object does not allow. */
    readonly rule?: string
    /** How many handlers run until then; `stateful` finds an execution with the fewest. */
    readonly depth?: number
  }
  readonly counts?: { readonly [count in 'states' | 'transitions' | 'systemStates' | 'messages' | 'rejected']?: number }
}

export interface OutcomesAnswer extends Searched {
  readonly options?: { readonly reduction: Exclude<Reduction, 'portfolio'> }
  readonly counts: Outcomes
}

export interface Outcomes {
  /** How many tuples of results the calls can also give one after the other, in some order … */
  readonly linearizable: number
  /** … and how many others there are. */
  readonly other: number
}

export const reasons = [
  'asymmetric race',
  'superfluous send',
  'indiscriminate communication',
  'loop-carried termination',
] as const

export type ProofAnswer =
  | { readonly verdict: 'proved' }
  /** With the least sizes that show it. */
  | { readonly verdict: 'violated'; readonly least: Params }
  | { readonly verdict: 'not canonical'; readonly reason: (typeof reasons)[number] }

export interface Repair {
  /** To be made atomic together. */
  readonly sections: readonly Section[]
  /** How many of the other outcomes are left then. */
  readonly leaves: number
  /** The result in Table 2.2, in lines of the original and linearizable executions it disables. */
  readonly thesis?: { readonly sections: { readonly [method: string]: Section['lines'] }; readonly disables: number }
}

export interface Section {
  readonly file: string
  readonly function: string
  readonly lines: readonly [first: number, last: number]
}

export const corpusFolder = fileURLToPath(new URL('../../corpus/', import.meta.url))

const schema: object = JSON.parse(readFileSync(join(corpusFolder, 'answers.schema.json'), 'utf8'))
const validate = new Ajv({ allErrors: true, strictTypes: false, strictRequired: false }).compile(schema)

/** Found in more than a part of a second: many are counted, or nobody knows how many. */
export function isLarge({ counts }: { readonly counts?: object }): boolean {
  return counts === undefined || Object.values(counts).some((count) => count > 250)
}

/** Found so soon that it can be asked for on the way to something else. */
export function isSoon({ long, slow }: { readonly long?: boolean; readonly slow?: boolean }): boolean {
  return !long && !slow
}

/** All entries that have a model, in TypeScript unless another file is named. */
export function readAnswers(model: 'model.check.ts' | 'model.p' = 'model.check.ts'): readonly Answers[] {
  return readdirSync(corpusFolder)
    .filter((name) => existsSync(join(corpusFolder, name, model)))
    .map((name) => ({ name, ...parseAnswers(readFileSync(join(corpusFolder, name, 'answers.json'), 'utf8'), name) }))
}

/** Throws with all that is wrong. */
export function parseAnswers(text: string, name: string): Omit<Answers, 'name'> {
  const parsed: unknown = JSON.parse(text)
  const misshapen = validate(parsed) ? [] : (validate.errors ?? []).map(described)
  const wrong = misshapen.length > 0 ? misshapen : inconsistencies(parsed as Answers)
  if (wrong.length > 0) throw new Error(`corpus/${name}/answers.json: ${wrong.join('; ')}`)
  return parsed as Answers
}

type SchemaError = NonNullable<typeof validate.errors>[number]

function described({ instancePath, message, params }: SchemaError): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`
}

/** What a schema does not say. */
function inconsistencies({ classes, answers }: Answers): readonly string[] {
  const seen = new Set<string>()
  return answers.flatMap((answer, index) =>
    [...doubtful(answer, classes), ...repeated(answer, seen)].map((problem) => `/answers/${index} ${problem}`),
  )
}

function* doubtful({ id, program, setting, engines }: Answer, classes: Answers['classes']): Iterable<string> {
  const names = Object.keys(engines)
  const isProof = names.includes('sequentialize')
  if ((engines.dpor ?? engines.exhaustive ?? engines.sequentialize) !== undefined && setting.network === undefined)
    yield 'has no network'
  if (Object.values(setting.params ?? {}).includes('every') && !isProof) yield 'searches all sizes'
  if (Object.values(engines).some((answer) => answer.long && answer.slow)) yield 'is both long and slow'
  if (isProof && names.length > 1) yield 'proves and searches in one setting'
  if (classes === undefined) {
    if (setting.client !== undefined || setting.criterion !== undefined) yield 'has a client but no class'
    if (engines.stateful !== undefined && 'counts' in engines.stateful && 'other' in (engines.stateful.counts ?? {}))
      yield 'counts outcomes but has no class'
    return
  }
  if (classes[program] === undefined) yield `is about ${program}, which is none of the classes`
  if (id === undefined || setting.client === undefined || setting.criterion === undefined)
    yield 'is about a class but lacks id, client or criterion'
  const { stateful } = engines
  if (stateful?.counts === undefined || !('other' in stateful.counts)) yield 'is about a class but counts no outcomes'
  else if ((stateful.verdict === 'violated') !== stateful.counts.other > 0) yield 'counts what its verdict denies'
}

function* repeated({ program, setting, engines }: Answer, seen: Set<string>): Iterable<string> {
  for (const [engine, answer] of Object.entries(engines)) {
    const { network, values, client, criterion } = setting
    const params = Object.entries(setting.params ?? {}).sort(([left], [right]) => (left < right ? -1 : 1))
    const options = 'options' in answer ? answer.options : undefined
    const asked = JSON.stringify([program, params, network, values, client, criterion, engine, options])
    if (seen.has(asked)) yield `asks ${engine} the same again`
    seen.add(asked)
  }
}
