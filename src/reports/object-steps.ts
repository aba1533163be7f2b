/** The steps of an execution of a client, with their lines of source. */
import type { CodeSite } from '../core/code.ts'
import type { ObjectCounterexample, ObjectStep } from '../core/object-verdict.ts'
import type { AccessStep } from './access-columns.ts'
import type { Glyphs } from './paint.ts'
import type { SourceLines } from './sections.ts'

export function accessSteps(
  counterexample: ObjectCounterexample,
  sources: SourceLines,
  glyphs: Glyphs,
): readonly AccessStep[] {
  const returns = new Map<string, number>()
  const stuck = stuckReturn(counterexample)
  const last = new Map<string, CodeSite>()
  const readable = (text: string): string => (glyphs.ascii ? text.replaceAll('→', '->') : text)
  return counterexample.steps.flatMap((step): readonly AccessStep[] => {
    const { process, kind } = step
    if (step.isSilent === true) return []
    const what = readable(step.text)
    const inside = insideOf(step).map((one) => accessAt(step, one.site, readable(one.text), sources))
    if (kind === 'call') {
      last.delete(process)
      return [{ kind, process, what }, ...inside]
    }
    if (kind === 'return') {
      const number = returns.get(process) ?? 0
      returns.set(process, number + 1)
      return [{ kind, process, what, isBad: stuck?.process === process && stuck.number === number }]
    }
    const site = step.site ?? last.get(process)
    if (site === undefined) return inside
    last.set(process, site)
    return [accessAt(step, site, what, sources), ...inside]
  })
}

/** Each line once, with all it does. */
function insideOf({ inside = [] }: ObjectStep): readonly { readonly site: CodeSite; readonly text: string }[] {
  const lines = new Map<string, { readonly site: CodeSite; readonly texts: Set<string> }>()
  for (const { site, text } of inside) {
    const key = `${site.function.file}:${site.line}`
    const line = lines.get(key) ?? { site, texts: new Set() }
    lines.set(key, { site, texts: line.texts.add(text) })
  }
  return [...lines.values()].map(({ site, texts }) => ({ site, text: [...texts].join(', ') }))
}

function accessAt(
  { process }: ObjectStep,
  { function: { file }, line }: CodeSite,
  what: string,
  sources: SourceLines,
): AccessStep {
  return { kind: 'access', process, file, line, code: sources(file)?.[line - 1] ?? '', what }
}

/** Which return of which process is that of the call that cannot be placed. */
function stuckReturn({
  history,
  stuck,
}: ObjectCounterexample): { readonly process: string; readonly number: number } | undefined {
  const call = stuck === undefined ? undefined : history.calls[stuck]
  if (call === undefined) return undefined
  const before = history.calls.slice(0, stuck).filter(({ process }) => process === call.process)
  return { process: call.process, number: before.length }
}
