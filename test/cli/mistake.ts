/** What every mistake on the command line has: exit code 2, a code, words, a hint, and nothing on stdout. */
import { expect } from 'vitest'
import { allways } from './harness.ts'

interface Told {
  readonly code: string
  readonly message: string
  readonly hint: string
}

export async function expectMistake(argv: readonly string[], { code, message, hint }: Told): Promise<void> {
  const ran = await allways(argv)
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  const text = unwrapped(ran.stderr)
  expect(text).toContain(` ${code}  `)
  expect(text).toContain(message)
  expect(text).toContain(hint)
  expect(text).not.toMatch(/\n\s+at .*\.ts:\d+/)
}

/** Lines that were broken to fit the page, as one. */
export function unwrapped(text: string): string {
  return text.replace(/\n {3,}(?=[^ >|\d])/g, ' ')
}
