/**
 * Proofs that were written down, validated when read. A file says by a digest which term it proves: for the program as it is now its
 * steps are followed again, but a reader must not take it for a proof of what the program was. What the term was read from may have
 * changed without changing it, which is worth a note.
 */
import { createHash } from 'node:crypto'
import { parsedJson } from '../../artifact/artifact.ts'
import { namedText } from '../../artifact/named-file.ts'
import { schemaProblems } from '../../artifact/schemas.ts'
import { type Diagnostic, failure, type Result, success } from '../../core/diagnostic.ts'
import { type Proof, type ProofStep, proofFormat } from '../../engines/sequentialize/proof.ts'
import type { Icet } from '../../program/icet.ts'

/** A proof in its file. */
export interface WrittenProof extends Proof {
  readonly term: string
  /** Digest of the files that the term was read from; in files of earlier versions there is none. */
  readonly source?: string | undefined
}

/** Proofs of the corpus are nested 5 deep, and take 30 kB. */
const deepest = 100
const proofFile = {
  what: 'proof',
  longest: 16_000_000,
  hint: 'allways prove <file> --print proof > lock.proof.json writes one',
}

export function writtenProof(proof: Proof, icet: Icet, source: string): WrittenProof {
  return { format: proof.format, term: termDigest(icet), source, steps: proof.steps }
}

/** Of what is proved: places may change. */
export function termDigest(icet: Icet): string {
  const text = JSON.stringify(icet, (key, value: unknown) => (key === 'place' ? undefined : value))
  return `sha256-${createHash('sha256').update(text).digest('hex')}`
}

/** `shown` is the path as it was typed. */
export function readProof(path: string, shown: string): Result<WrittenProof> {
  const text = namedText(path, proofFile, shown)
  return text.ok ? parseProof(text.value, shown) : text
}

export function parseProof(text: string, file: string): Result<WrittenProof> {
  const parsed = parsedJson(text)
  if ('why' in parsed) return failure(damaged(file, parsed.why))
  const { format, term, source, steps } = (parsed.json ?? {}) as { readonly [field: string]: unknown }
  if (format !== proofFormat)
    return failure(damaged(file, `its format is ${JSON.stringify(format)?.slice(0, 40)}, not "${proofFormat}"`))
  const [misshapen] = schemaProblems('proof-2', parsed.json)
  if (misshapen !== undefined) return failure(damaged(file, misshapen))
  const proof = { format, steps }
  if (!isProof(proof)) return failure(damaged(file, `steps are nested more than ${deepest} deep`))
  return success({ ...proof, term: String(term), ...(source === undefined ? {} : { source: String(source) }) })
}

export function isProof(candidate: { readonly format: unknown; readonly steps: unknown }): candidate is Proof {
  return candidate.format === proofFormat && areSteps(candidate.steps, 0)
}

function areSteps(candidates: unknown, depth: number): candidates is readonly ProofStep[] {
  return depth < deepest && Array.isArray(candidates) && candidates.every((one) => isStep(one, depth))
}

/** The form alone: whether a step is allowed is for the rules to say. */
function isStep(candidate: unknown, depth: number): candidate is ProofStep {
  if (typeof candidate !== 'object' || candidate === null) return false
  const step = candidate as { readonly [field: string]: unknown }
  switch (step.rule) {
    case 'step':
      return isText(step.party) && isNumber(step.statement)
    case 'send':
      return isText(step.party) && isNumber(step.statement) && isText(step.to)
    case 'receive':
      return isText(step.party) && isNumber(step.statement) && isText(step.from)
    case 'branch':
      return isText(step.party) && isNumber(step.statement) && isListOf(step.arms, (arm) => areSteps(arm, depth + 1))
    case 'skip':
      return isText(step.party) && isNumber(step.statement)
    case 'empty':
    case 'unfold':
    case 'fold':
      return isText(step.set)
    case 'iterate':
      return (
        isListOf(step.leaders, (one) => isText(one.party) && isNumber(one.statement)) &&
        (step.over === undefined || isText(step.over)) &&
        isListOf(step.takes, (one) => isText(one.from) && isText(one.to) && isNumber(one.index)) &&
        isListOf(step.havoc, (one) => isText(one.party) && isText(one.variable) && areFew(one.among)) &&
        areSteps(step.body, depth + 1)
      )
    default:
      return false
  }
}

// biome-ignore lint/suspicious/noExplicitAny: every field is looked at before it is used
function isListOf(candidate: unknown, isItem: (item: any) => boolean): boolean {
  return (
    Array.isArray(candidate) && candidate.every((item) => typeof item === 'object' && item !== null && isItem(item))
  )
}

/** Values that survive being written down. */
function areFew(candidate: unknown): boolean {
  if (candidate === undefined) return true
  return Array.isArray(candidate) && candidate.every((one) => isText(one) || typeof one === 'boolean')
}

function isText(candidate: unknown): candidate is string {
  return typeof candidate === 'string'
}

function isNumber(candidate: unknown): candidate is number {
  return Number.isSafeInteger(candidate)
}

function damaged(file: string, why: string): Diagnostic {
  return {
    code: 'E418',
    message: `${file} is not a proof: ${why}`,
    hint: proofFile.hint,
  }
}
