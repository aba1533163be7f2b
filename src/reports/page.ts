/** Violations as pages of text: what broke and in which scope, then what the evidence has to show. */
import { type Finding, findingsIn } from '../core/evidence.ts'
import type { Unhurried } from '../core/unhurried.ts'
import type { Criterion } from '../core/verdict.ts'
import { searchWords } from './client-account.ts'
import { clientHeadline, clientSections } from './client-page.ts'
import { counted } from './count-words.ts'
import { executionSections, headline } from './execution-page.ts'
import { historySections } from './history-page.ts'
import { apart, brokenWords, readable, secondsColumn, separated } from './lines.ts'
import type { Glyphs, Paint } from './paint.ts'
import { racedWords } from './raced.ts'
import { mostTold, type Reported, type ReportedFinding } from './result.ts'
import { scopeSentence } from './scope.ts'
import { clip, isNarrow, pageWidth, printable, widthOf, wrap } from './text-width.ts'

export interface PageDress {
  readonly paint: Paint
  readonly glyphs: Glyphs
  readonly legend: boolean
  readonly maxRows?: number | undefined
  readonly recorded?: RecordedHeading | undefined
  /** Without what takes long for a long execution, of which the picture is most: somebody waits for the end. */
  readonly isBrief?: boolean | undefined
}

/** Of a trace that is shown or replayed: what its heading says, where a search would say what it has explored. */
export interface RecordedHeading {
  /** 'reproduced', 'recorded'. */
  readonly standing: string
  /** How it was found. */
  readonly about: string
}

interface Page<F extends Finding = Finding> {
  readonly result: Reported
  readonly found: F
  readonly finding: ReportedFinding
  /** From 0. */
  readonly at: number
  readonly of: number
}

export function* violationPages(result: Reported, dress: PageDress): Unhurried<string> {
  const all = findingsIn(result.verdict.evidence)
  const pages: string[] = []
  for (const [at, found] of all.slice(0, mostTold).entries()) {
    const page = { result, found, finding: result.findings[at] ?? {}, at, of: all.length }
    const own = { ...dress, legend: dress.legend && at === 0 }
    pages.push(separated([headingLines(page, own), ...(yield* sections(page, own))]))
    yield
  }
  return [...pages, ...untoldText(all.length - pages.length, dress), ...alikeText(result, dress)].join('\n\n')
}

function* sections(page: Page, dress: PageDress): Unhurried<readonly (readonly string[])[]> {
  const { found } = page
  if (found.kind === 'history') return historySections({ ...page, found }, dress)
  const { client } = found
  return client === undefined
    ? yield* executionSections({ ...page, found }, dress)
    : clientSections({ ...page, found: { ...found, client } }, dress)
}

/** ' ✗ raft.check.ts:31  monitor “one leader” violated      violated   2.9 s', and the scope below it. */
function headingLines(page: Page, { paint, glyphs, recorded }: PageDress): readonly string[] {
  const { result, at, of } = page
  const { title, subject, where } = titleOf(page, glyphs)
  const standing = recorded?.standing ?? 'violated'
  const time = recorded === undefined ? `   ${secondsColumn(result.seconds)}` : ''
  const which = of === 1 ? '' : ` (${at + 1} of ${of})`
  const width = pageWidth - 3
  const room = width - widthOf(standing + time)
  const whole = readable(title, glyphs) + which
  const [first = '', ...more] = isNarrow() ? wrap(whole, room - 2) : [whole]
  const shown = isNarrow() ? first : clip(readable(title, glyphs), room - 2 - which.length, glyphs) + which
  const gap = ' '.repeat(room - widthOf(shown))
  const words = recorded === undefined ? subject : [subject[0], recorded.about]
  const below = at > 0 ? [] : apart(wrap(readable(words.join(' · '), glyphs), width), width, glyphs)
  return [
    ` ${paint.red(glyphs.bad)} ${paint.bold(shown)}${gap}${paint.red(standing)}${paint.dim(time)}`,
    ...apart(more, width, glyphs).map((line) => `   ${paint.bold(line)}`),
    ...(where === undefined ? [] : [`   ${paint.cyan(printable(where, glyphs.ascii))}`]),
    ...below.map((line) => `   ${paint.dim(line)}`),
  ]
}

interface Title {
  readonly title: string
  /** On a line of its own, if there is no room for it in the title. */
  readonly where?: string | undefined
  /** What is spoken of, then what was explored. */
  readonly subject: readonly string[]
}

function titleOf({ result, found, finding }: Page, glyphs: Glyphs): Title {
  const { program, file, verdict } = result
  const { scope } = verdict
  const sentence = scopeSentence(verdict)
  const criterion: Criterion = scope.criterion ?? 'linearizable'
  if (found.kind === 'history') return { title: brokenWords(file, criterion), subject: [sentence] }
  if (found.client !== undefined) {
    const where = result.place === undefined ? file : `${result.place.file}:${result.place.line}`
    return {
      title: clientHeadline(program, found.violation, found.client) ?? brokenWords(program, criterion),
      subject: [where, searchWords(scope), sentence],
    }
  }
  const where = finding.place === undefined ? file : `${finding.place.file}:${finding.place.line}`
  const words = headline(found.violation, glyphs)
  const subject = [program, scope.engine, sentence, ...racedWords(verdict)]
  return isNarrow() ? { title: words, subject, where } : { title: `${where}  ${words}`, subject }
}

function untoldText(untold: number, dress: PageDress): readonly string[] {
  if (untold === 0) return []
  const text = `${counted(untold, 'more violation')} ${untold === 1 ? 'is' : 'are'} not shown here, without a trace: --json lists ${untold === 1 ? 'it' : 'them'}`
  return [boldText(text, dress)]
}

/** What `--keep-going` found and nobody wants to read one by one. */
function alikeText({ verdict }: Reported, dress: PageDress): readonly string[] {
  const alike = verdict.kind === 'violated' ? (verdict.alike ?? 0) : 0
  if (alike === 0) return []
  const text = `${counted(alike, 'more violation')} of the same ${alike === 1 ? 'sort is' : 'sorts are'} not shown: the same operations go wrong, in these or larger clients`
  return [boldText(text, dress)]
}

function boldText(text: string, { paint, glyphs }: PageDress): string {
  const lines = wrap(readable(text, glyphs), pageWidth - 3)
  return lines.map((line) => `   ${paint.bold(line)}`).join('\n')
}
