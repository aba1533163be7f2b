/** What there is to show of a proof: the sequential program; or why there is none, and how far it got. */
import type {
  AssertionAnswer,
  Evidence,
  NotCanonical,
  NotCanonicalReason,
  RestingProcess,
  SequentialLine,
} from '../core/evidence.ts'
import { number } from './count-words.ts'
import { frameLines, paragraph, placeText } from './lines.ts'
import type { Glyphs, Paint } from './paint.ts'
import type { Reported } from './result.ts'
import { clip, pageWidth, printable, widthOf, wrap } from './text-width.ts'

interface Dress {
  readonly paint: Paint
  readonly glyphs: Glyphs
}

export function proofSections(one: Evidence, result: Reported, dress: Dress): readonly (readonly string[])[] {
  if (one.kind === 'sequentialProgram')
    return [programLines('does the same as this sequential program:', one.lines, dress)]
  if (one.kind !== 'proof') return []
  const why = one.notCanonical === undefined ? [] : notCanonicalSections(one.notCanonical, result, dress)
  return [...why, assertionLines(one.assertions, dress)]
}

const explanations: { readonly [reason in NotCanonicalReason]: string } = {
  'asymmetric race': 'a receive may take the messages of different sends, and what follows may differ',
  'superfluous send': 'a message is sent that is not sure to be taken',
  'indiscriminate communication': 'one round of a loop may talk to more than one member of a set',
  'loop-carried termination': 'how a loop ends depends on what happened in earlier rounds',
  'unmatched receive': 'no send was found that this receive is sure to get its message from',
  'possible failure': 'a failure is not excluded by what is known where it stands',
}

/** What usually helps. */
const advice: { readonly [reason in NotCanonicalReason]: string } = {
  'asymmetric race': 'send both in one place, with the difference as data; or receive by kind, or { from: sender }',
  'superfluous send': 'receive the message, or do not send it; in every branch alike',
  'indiscriminate communication':
    "receive from the member at hand: receive(kind, { from }), or reply to the message's sender",
  'loop-carried termination': 'repeat a known number of times, or end the loop by a message',
  'unmatched receive': 'see what is left: who should have sent it?',
  'possible failure': 'check the value where it is sent, or receive only what cannot fail',
}

function notCanonicalSections(found: NotCanonical, { frame }: Reported, dress: Dress): readonly (readonly string[])[] {
  const { paint, glyphs } = dress
  const shown = (text: string, indent: number): readonly string[] =>
    wrap(printable(text, glyphs.ascii), pageWidth - indent).map((line) => ' '.repeat(indent) + line)
  const message = paragraph(found.message, pageWidth - 3, glyphs).map((line) => `   ${line}`.trimEnd())
  const columns = found.places.map(({ place, text }) => [placeText(place, 56, glyphs), printable(text, glyphs.ascii)])
  const widest = Math.max(0, ...columns.map(([where = '']) => widthOf(where)))
  const places = columns.map(([where = '', text = '']) => {
    const gap = ' '.repeat(widest - widthOf(where) + 2)
    return `   ${paint.cyan(where)}${gap}${clip(text, pageWidth - 5 - widest, glyphs)}`
  })
  return [
    [...shown(`${found.reason}: ${explanations[found.reason]}`, 3), ...message],
    [...new Set(places)],
    frame === undefined ? [] : frameLines(frame, 3, glyphs),
    programLines('so far it does the same as this sequential program:', found.prefix, dress),
    restLines(found, dress),
    shown(`hint: ${advice[found.reason]}`, 3),
  ]
}

function programLines(title: string, all: readonly SequentialLine[], { paint, glyphs }: Dress): readonly string[] {
  const lines = withoutEmptyElse(all)
  if (lines.length === 0) return []
  const body = lines.map((line) => {
    const text = `     ${'  '.repeat(line.depth)}${printable(line.text, glyphs.ascii)}`
    const number = lineNumbers(line, glyphs)
    const kept = clip(text, pageWidth - widthOf(number) - 2, glyphs)
    return number === ''
      ? kept
      : `${kept}${' '.repeat(pageWidth - widthOf(kept) - widthOf(number))}${paint.dim(number)}`
  })
  return [
    ...wrap(title, pageWidth - 3).map((line) => `   ${paint.bold(line)}`),
    ...body,
    ...legend(lines, paint, glyphs),
  ]
}

function withoutEmptyElse(lines: readonly SequentialLine[]): readonly SequentialLine[] {
  return lines.filter(({ text }, at) => text !== '} else {' || lines[at + 1]?.text !== '}')
}

/** Explains the first of what it explains, in its own numbers. */
function legend(lines: readonly SequentialLine[], paint: Paint, glyphs: Glyphs): readonly string[] {
  const message = lines.find(({ sentAt }) => sentAt !== undefined)
  if (message === undefined) return []
  const words = `${lineNumbers(message, glyphs)}: received in line ${message.place?.line}, sent in line ${message.sentAt?.line}`
  return wrap(words, pageWidth - 3).map((line) => `   ${paint.dim(line)}`)
}

/** '14', or '14 ← 32': received there, sent here. */
function lineNumbers({ place, sentAt }: SequentialLine, glyphs: Glyphs): string {
  if (place === undefined) return ''
  return sentAt === undefined ? `${place.line}` : `${place.line} ${glyphs.ascii ? '<-' : '←'} ${sentAt.line}`
}

function restLines({ rest, underWay }: NotCanonical, { paint, glyphs }: Dress): readonly string[] {
  const unfinished = rest.filter(({ at }) => at !== undefined)
  if (unfinished.length === 0 && underWay.length === 0) return []
  const clipped = (text: string): string => clip(printable(text, glyphs.ascii), pageWidth, glyphs)
  return [
    `   ${paint.bold('what is left:')}`,
    ...unfinished.map((one) => clipped(`     ${restingText(one)}`)),
    ...underWay.map((text) => clipped(`     under way: ${text}`)),
  ]
}

function restingText({ process, isSet, isDaemon, at }: RestingProcess): string {
  const who = `${isSet ? `each ${process}` : process}${isDaemon ? ' (daemon)' : ''}`
  return at === undefined ? `${who} has ended` : `${who}: ${at.text}, line ${at.place.line}`
}

const answerMarks = { proved: 'good', unknown: 'unfinished' } as const

function assertionLines(assertions: readonly AssertionAnswer[], { paint, glyphs }: Dress): readonly string[] {
  if (assertions.length === 0) return []
  const lines = assertions.flatMap(({ place, message, answer, why }) => {
    const head = `     ${glyphs[answerMarks[answer]]} ${answer.padEnd(7)}  ${placeText(place, 40, glyphs)}  ${printable(message, glyphs.ascii)}`
    const reason =
      why === undefined ? [] : wrap(printable(why, glyphs.ascii), pageWidth - 9).map((line) => `         ${line}`)
    return [clip(head, pageWidth, glyphs), ...reason]
  })
  const hints = [...new Set(assertions.flatMap(({ hint }) => (hint === undefined ? [] : [hint])))]
  const told = hints.flatMap((hint) => wrap(`hint: ${hint}`, pageWidth - 3).map((line) => `   ${line}`))
  return [`   ${paint.bold(`assertions over data (${number(assertions.length)}):`)}`, ...lines, ...told]
}
