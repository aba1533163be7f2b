/** Proofs that were written down, validated when read. */
import { type Diagnostic, failure, type Result, success } from '../../core/diagnostic.ts'
import { type Proof, proofFormat, type Step } from '../../engines/sequentialize/proof.ts'

export function readProof(text: string | undefined, file: string): Result<Proof> {
  if (text === undefined) return failure(damaged(file, 'it cannot be read'))
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    return failure(damaged(file, `it is not JSON: ${(error as Error).message}`))
  }
  const { format, steps } = (parsed ?? {}) as { readonly format?: unknown; readonly steps?: unknown }
  if (format !== proofFormat)
    return failure(damaged(file, `its format is ${JSON.stringify(format)}, not "${proofFormat}"`))
  const proof = { format, steps }
  return isProof(proof) ? success(proof) : failure(damaged(file, 'a step has the wrong form'))
}

export function isProof(candidate: { readonly format: unknown; readonly steps: unknown }): candidate is Proof {
  return candidate.format === proofFormat && Array.isArray(candidate.steps) && candidate.steps.every(isStep)
}

/** The form alone: whether a step is allowed is for the rules to say. */
function isStep(candidate: unknown): candidate is Step {
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
      return (
        isText(step.party) &&
        isNumber(step.statement) &&
        isListOf(step.arms, (arm) => Array.isArray(arm) && arm.every(isStep))
      )
    case 'unfold':
    case 'fold':
      return isText(step.set)
    case 'iterate':
      return (
        isListOf(step.leaders, (one) => isText(one.party) && isNumber(one.statement)) &&
        (step.over === undefined || isText(step.over)) &&
        isListOf(step.takes, (one) => isText(one.from) && isText(one.to) && isNumber(one.index)) &&
        isListOf(step.havoc, (one) => isText(one.party) && isText(one.variable)) &&
        Array.isArray(step.body) &&
        step.body.every(isStep)
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
    hint: 'allways prove <file> --print proof > lock.proof.json writes one',
  }
}
