/** An execution as a Mermaid sequence diagram, and machines as state diagrams, for pages and issues that render them. */
import { cutText } from '../core/cut-text.ts'
import { evidenceOf } from '../core/evidence.ts'
import type { StateDiagram } from '../core/state-diagram.ts'
import { atOnce, mappedUnhurried, type Unhurried } from '../core/unhurried.ts'
import { showValue } from '../core/value-text.ts'
import type { Verdict } from '../core/verdict.ts'
import { glyphsFor } from './paint.ts'
import { type Picture, type PictureStep, pictureSteps, unrelatedWords, withRound } from './picture-steps.ts'
import { clip, printable } from './text-width.ts'

const labelWidth = 80
const glyphs = glyphsFor(false)

/** Every execution of processes that a verdict rests on. */
export function* mermaidDiagrams({ evidence }: Verdict): Unhurried<readonly string[]> {
  const diagrams: string[] = []
  for (const one of evidenceOf(evidence, 'execution'))
    if (one.client === undefined) diagrams.push(yield* sequenceDiagram(one))
  return diagrams
}

export function mermaid(picture: Picture): string {
  return atOnce(sequenceDiagram(picture))
}

function* sequenceDiagram(picture: Picture): Unhurried<string> {
  const pictured = yield* pictureSteps(picture)
  const { steps } = pictured
  const aliases = new Map(participants(picture, steps).map((process, at) => [process, `p${at}`]))
  const alias = (process: string): string => aliases.get(process) as string
  const lines = [
    ...[...aliases].map(([process, short]) => `participant ${short} as ${escaped(process)}`),
    ...(yield* roundLines(picture, steps, alias)),
    ...endLines(picture, aliases),
    ...(aliases.size === 0
      ? []
      : unrelatedWords(picture, pictured).map((words) => `Note over ${everybody(aliases)}: ${words}`)),
  ]
  return ['sequenceDiagram', ...lines.map((line) => `  ${line}`)].join('\n')
}

/** Steps between the same two states are one arrow. */
export function mermaidStates({ machine, kind, states, start, steps }: StateDiagram): string {
  const arrows = new Map<string, string[]>()
  for (const { from, to, on } of steps) {
    const arrow = `s${from} --> s${to}`
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), on])
  }
  const shown = states.map(({ name, temperature }) => (temperature === 'warm' ? name : `${name} (${temperature})`))
  const lines = [
    `%% ${kind} ${escaped(machine)}`,
    ...shown.map((name, at) => `s${at}: ${escaped(name)}`),
    `[*] --> s${start}`,
    ...[...arrows].map(([arrow, on]) => `${arrow}: ${escaped([...new Set(on)].join(', '))}`),
  ]
  return ['stateDiagram-v2', ...lines.map((line) => `  ${line}`)].join('\n')
}

/** What repeats for ever is a loop. */
function* roundLines(
  picture: Picture,
  steps: readonly PictureStep[],
  alias: (process: string) => string,
): Unhurried<readonly string[]> {
  const said = withRound(steps, picture, (words, length) => (length === 0 ? `Note over p0: ${words}` : `loop ${words}`))
  const lines = (yield* mappedUnhurried(said, (step) =>
    typeof step === 'string' ? [step] : stepLines(step, alias),
  )).flat()
  return said.some((step) => typeof step === 'string' && step.startsWith('loop')) ? [...lines, 'end'] : lines
}

/** Everybody a line mentions, in the order of first appearance. */
function participants({ violation, processes }: Picture, steps: readonly PictureStep[]): readonly string[] {
  const found = new Set(steps.flatMap((step) => mentioned(step)))
  for (const { process } of violation?.waiting ?? []) found.add(process)
  if (violation?.kind === 'final') for (const { id, value } of processes) if (value !== undefined) found.add(id)
  return [...found]
}

function mentioned(step: PictureStep): readonly string[] {
  switch (step.kind) {
    case 'spawn':
      return [step.process, ...step.children]
    case 'join':
      return [step.process, step.target]
    case 'send':
    case 'pass':
      return [step.process, step.to]
    case 'receive':
      return [step.from, step.process]
    default:
      return [step.process]
  }
}

/** Arrows lead from sender to receiver at the moment of receipt; a send that is received later, or never, is a note. */
function stepLines(step: PictureStep, alias: (process: string) => string): readonly string[] {
  const own = alias(step.process)
  const note = (text: string): string => `Note over ${own}: ${escaped(text)}`
  switch (step.kind) {
    case 'spawn':
      return step.children.map((child) => `${own}-->>${alias(child)}: spawn`)
    case 'join':
      return [`${alias(step.target)}-->>${own}: ended, joined`]
    case 'send':
      return step.lost
        ? [`${own}-x${alias(step.to)}: ${escaped(`${step.label} (not received)`)}`]
        : [note(`sends ${step.label} to ${step.to}`)]
    case 'pass':
      return [`${own}->>${alias(step.to)}: ${escaped(step.label)}`]
    case 'receive':
      return [`${alias(step.from)}->>${own}: ${escaped(step.label)}`]
    case 'timeout':
      return [note(step.times > 1 ? `poll: nothing, ${step.times} times` : 'poll: nothing')]
    case 'choose':
      return [note(step.isBad === true ? `${glyphs.bad} ${step.label}` : step.label)]
    case 'stop':
      return [note(step.halts ? 'halts' : 'stops here')]
    case 'fail':
      return [note(`${glyphs.bad} ${cutText(step.violation.message)}`)]
  }
}

function endLines({ violation, processes }: Picture, aliases: ReadonlyMap<string, string>): readonly string[] {
  const note = (over: string | undefined, text: string): string => `Note over ${over}: ${escaped(text)}`
  if (violation?.kind === 'deadlock') {
    const waiting = violation.waiting ?? []
    return waiting.map(({ process, forWhat }) => note(aliases.get(process), `${glyphs.bad} waits for ${forWhat}`))
  }
  if (violation?.kind !== 'final' || aliases.size === 0) return []
  const returned = processes.filter(({ status, value }) => status === 'returned' && value !== undefined)
  return [
    ...returned.map(({ id, value }) => note(aliases.get(id), `returned ${showValue(value, 200)}`)),
    note(everybody(aliases), `${glyphs.bad} ${cutText(violation.message)}`),
  ]
}

function everybody({ size }: ReadonlyMap<string, string>): string {
  return size === 1 ? 'p0' : `p0,p${size - 1}`
}

/**
 * Text on one line in which nothing is Mermaid syntax: entity codes for what ends a statement (`;`, `#`), opens markup (`<`, `&`)
 * or a formula (`$`), or quotes; for the keyword `end`, and for words behind which entity codes are read in another way. A colon
 * is harmless after the first one, which is ours.
 */
function escaped(text: string): string {
  const cut = clip(printable(text, false), labelWidth, glyphs)
  return cut
    .replace(/[#;<>&"\\%$]/g, entity)
    .replace(keywords, (word) => `${word[0]}${entity(word.charAt(1))}${word.slice(2)}`)
}

const keywords = /\bend\b|style|classDef/g

function entity(character: string): string {
  return `#${character.codePointAt(0)};`
}
