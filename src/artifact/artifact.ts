/**
 * Artifacts: what allways writes for later runs and reads back, and what may come from anywhere. They are JSON, sealed with a digest
 * of the whole, so that damage is noticed; a digest is no signature, and whoever forges one can seal it.
 */
import { createHash } from 'node:crypto'

/** Of every kind: a search that has more to say is started again. */
export const longestArtifact = 64_000_000

/** Values are nested 500 deep at most, and maps take three levels of JSON for one of their own. */
const deepest = 2_000

/** Every finite number has fewer digits; one that has more takes longer to read than to doubt. */
const mostDigits = 400

export type Parsed = { readonly json: unknown } | Unparsed

interface Unparsed {
  readonly why: string
  /** Where in the text, if that is known. */
  readonly at?: number | undefined
}

export const notJson = 'it is not JSON'

/** JSON within limits, or why it is none. */
export function parsedJson(text: string): Parsed {
  const excess = excessOf(text)
  if (excess !== undefined) return excess
  try {
    return { json: JSON.parse(text) as unknown }
  } catch (error) {
    const [, position] = /position (\d+)/.exec(String(error)) ?? []
    return { why: notJson, at: position === undefined ? undefined : Number(position) }
  }
}

/** Looks at brackets and digits outside texts. */
function excessOf(text: string): Unparsed | undefined {
  let [depth, digits] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    digits = letter >= zero && letter <= nine ? digits + 1 : 0
    if (digits > mostDigits) return { why: `it has a number with more than ${mostDigits} digits`, at: at - mostDigits }
    if (letter === quote) at = endOfText(text, at + 1)
    else if (letter === openBrace || letter === openBracket) depth++
    else if (letter === closeBrace || letter === closeBracket) depth--
    if (depth > deepest) return { why: `it is nested more than ${deepest} levels deep`, at }
  }
  return undefined
}

const [zero, nine, quote, backslash] = [0x30, 0x39, 0x22, 0x5c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** The index of the closing quote: one with an even number of backslashes before it. */
export function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at
    while (text.charCodeAt(before - 1) === backslash) before--
    if ((at - before) % 2 === 0) return at
  }
  return text.length
}

/** The content with its digest as the last field. */
export function sealed<T extends object>(content: T): T & { readonly digest: string } {
  return { ...content, digest: digestOf(content) }
}

/** Whether the content is what was sealed. */
export function isSealed(content: { readonly [field: string]: unknown }): boolean {
  const { digest, ...rest } = content
  return digest === digestOf(rest)
}

function digestOf(content: object): string {
  return `sha256-${createHash('sha256').update(JSON.stringify(content)).digest('hex')}`
}
