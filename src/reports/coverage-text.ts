/** What of the machines of a program was met, as text: a line for each state. */
import type { CoveredMachine, CoveredState } from '../core/coverage.ts'
import { readable } from './lines.ts'
import { glyphsFor } from './paint.ts'
import { pageWidth, wrap } from './text-width.ts'

export function coverageText(
  machines: readonly CoveredMachine[],
  options: { readonly ascii?: boolean | undefined },
): string {
  const glyphs = glyphsFor(options.ascii ?? false)
  const lines = machines.flatMap((machine) => [
    heading(machine),
    ...machine.states.map((state) => `  ${stateLine(state)}`),
  ])
  return ['coverage', ...lines.map((line) => `  ${line}`)]
    .map((line) => readable(line, glyphs))
    .flatMap((line) => wrap(line, pageWidth - 3))
    .map((line) => `   ${line}`)
    .join('\n')
}

function heading({ name, kind, isCovered }: CoveredMachine): string {
  const covered = isCovered === undefined ? '' : isCovered ? ': covered' : ': not covered'
  return `${kind} ${name}${covered}`
}

function stateLine({ name, entered, handled, neverHandled }: CoveredState): string {
  if (!entered) return `${name}: never entered`
  const words = [
    ...(handled.length === 0 ? [] : [`handled ${handled.join(', ')}`]),
    ...(neverHandled.length === 0 ? [] : [`never handled ${neverHandled.join(', ')}`]),
  ]
  return words.length === 0 ? `${name}: entered` : `${name}: ${words.join('; ')}`
}
