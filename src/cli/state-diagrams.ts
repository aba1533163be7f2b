/** Diagrams of programs whose machines are declared as states. */
import { programDiagrams } from '../check/state-diagrams.ts'
import { mermaidStates } from '../reports/mermaid.ts'
import type { SelectedProgram } from './select-programs.ts'

/** A machine that several tests have is shown once; of programs without such machines nothing is. */
export function diagramsText(programs: readonly SelectedProgram[]): string {
  const diagrams = programs.flatMap(({ program }) => programDiagrams(program)).map(mermaidStates)
  const [first = '', ...others] = [...new Set(diagrams)]
  // Several are told apart as blocks of a page.
  if (others.length > 0) return [first, ...others].map((text) => `\`\`\`mermaid\n${text}\n\`\`\`\n`).join('\n')
  return first === '' ? '' : `${first}\n`
}
