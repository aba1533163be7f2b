/**
 * Numbers in a line of a history that are not what the line says once they are read. JSON's numbers have any number of digits, those of
 * JavaScript do not: two results that differ could be read as equal ones.
 */
import { endOfText } from '../artifact/artifact.ts'

export interface RoundedNumber {
  readonly literal: string
  /** Its index in the line. */
  readonly at: number
  /** The name of the field, if the number is the whole of it. */
  readonly field: string | undefined
}

/** The first one, of a line that is JSON. */
export function roundedNumber(text: string): RoundedNumber | undefined {
  let [depth, field] = [0, '']
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string
    if (letter === '"') {
      const end = endOfText(text, at + 1)
      // Right inside the object, the text before a number is its name.
      if (depth === 1) field = text.slice(at + 1, end)
      at = end
    } else if (isFirstOfNumber(letter)) {
      const end = endOfNumber(text, at)
      const literal = text.slice(at, end)
      if (isRounded(literal)) return { literal, at, field: depth === 1 ? field : undefined }
      at = end - 1
    } else if (letter === '{' || letter === '[') depth++
    else if (letter === '}' || letter === ']') depth--
  }
  return undefined
}

function isFirstOfNumber(letter: string): boolean {
  return letter === '-' || (letter >= '0' && letter <= '9')
}

function endOfNumber(text: string, from: number): number {
  let end = from + 1
  while (end < text.length && /[\d.eE+-]/.test(text[end] as string)) end++
  return end
}

/** Whole numbers have fewer digits, and so do fractions that differ whenever their digits do. */
const shortest = 16

/** As many as it takes to write any number so that it is read as the same; further ones are lost. */
const mostSignificant = 17

function isRounded(literal: string): boolean {
  if (literal.length < shortest && !/e/i.test(literal)) return false
  const value = Number(literal)
  if (!Number.isFinite(value)) return true
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return true
  const [mantissa = ''] = literal.toLowerCase().split('e')
  const significant = mantissa.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '')
  return significant.length > mostSignificant || (value === 0 && significant !== '')
}
