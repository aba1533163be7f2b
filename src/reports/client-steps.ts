/** The steps of an execution of a client, with their lines of source. */
import type { CodeSite } from '../core/code.ts'
import type { ClientCounterexample, ClientExecution, CodeStep } from '../core/evidence.ts'
import type { History } from '../core/history.ts'
import type { AccessStep } from './access-columns.ts'
import { type HistoryPicture, waitingCalls } from './history-picture.ts'
import { type Glyphs, glyphsFor } from './paint.ts'
import type { SourceLines } from './sections.ts'

export function accessSteps(
  { violation, client }: ClientCounterexample,
  sources: SourceLines,
  glyphs: Glyphs,
): readonly AccessStep[] {
  return [...madeSteps(client, sources, glyphs), ...(violation.kind === 'deadlock' ? waits(client) : [])]
}

/** How many steps pictures show. */
export function stepCount(client: ClientExecution): number {
  return madeSteps(client, () => undefined, glyphsFor(false)).length
}

function madeSteps(client: ClientExecution, sources: SourceLines, glyphs: Glyphs): readonly AccessStep[] {
  const returns = new Map<string, number>()
  const stuck = stuckReturn(client)
  const last = new Map<string, CodeSite>()
  const readable = (text: string): string => (glyphs.ascii ? text.replaceAll('→', '->') : text)
  return client.steps.flatMap((step): readonly AccessStep[] => {
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

/** The history of a counterexample, for pictures. */
export function pictureOf({ violation, client }: ClientCounterexample): HistoryPicture {
  const { order, stuck, words } = client
  const history = counted(client.history)
  if (violation.kind === 'deadlock') return { history, waiting: waitingCalls(history), words }
  return { history, order, stuck, words }
}

/** With moments 1, 2, 3 … in the place of times, which mean nothing but an order. */
function counted({ calls }: History): History {
  const times = new Set(calls.flatMap(({ invoked, returned }) => [invoked, returned]).filter(Number.isFinite))
  const moments = new Map([...times].sort((left, right) => left - right).map((time, at) => [time, at + 1]))
  const moment = (time: number): number => moments.get(time) ?? time
  return { calls: calls.map((call) => ({ ...call, invoked: moment(call.invoked), returned: moment(call.returned) })) }
}

/** Where a deadlock ends: nobody goes on. */
function waits({ history }: ClientExecution): readonly AccessStep[] {
  return waitingCalls(history).flatMap((index) => {
    const call = history.calls[index]
    return call === undefined ? [] : [{ kind: 'wait', process: call.process, what: `${call.operation} waits for ever` }]
  })
}

/** Each line once, with all it does. */
function insideOf({ inside = [] }: CodeStep): readonly { readonly site: CodeSite; readonly text: string }[] {
  const lines = new Map<string, { readonly site: CodeSite; readonly texts: Set<string> }>()
  for (const { site, text } of inside) {
    const key = `${site.function.file}:${site.line}`
    const line = lines.get(key) ?? { site, texts: new Set() }
    lines.set(key, { site, texts: line.texts.add(text) })
  }
  return [...lines.values()].map(({ site, texts }) => ({ site, text: [...texts].join(', ') }))
}

function accessAt(
  { process }: CodeStep,
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
}: ClientExecution): { readonly process: string; readonly number: number } | undefined {
  const call = stuck === undefined ? undefined : history.calls[stuck]
  if (call === undefined) return undefined
  const before = history.calls.slice(0, stuck).filter(({ process }) => process === call.process)
  return { process: call.process, number: before.length }
}
