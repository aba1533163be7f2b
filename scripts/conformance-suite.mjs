/**
 * What a suite of P programs says about them: the folders say what comes of each program, and names and comments of some say what kind of error it is.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'

/** By the name of the folder that a program's folder is in. */
export const expectations = { Correct: 'holds', DynamicError: 'violated', StaticError: 'refused' }

/** Programs that no longer mean what their folder says, with the reason. */
const stale = new Map(
  ['Elevator', 'ElevatorMod', 'OSR'].map((name) => [
    `Feature5ModuleSystem/Correct/${name}`,
    'handlers of outer states are no longer inherited, so every execution has an unhandled event, or never ends its first handler',
  ]),
)

/** Programs whose comments tell the kind of error as an older run time of P had it. */
const staleKinds = new Map(
  ['7', '9', '11'].map((number) => [
    `Feature4DataTypes/DynamicError/nonAtomicDataTypes${number}`,
    'a key that a map does not have was no error of its own when the comment was written',
  ]),
)

export function programsIn(suite) {
  const found = []
  const visit = (folder) => {
    const expected = expectations[basename(dirname(folder))]
    const entries = readdirSync(folder, { withFileTypes: true })
    if (expected !== undefined && entries.some(({ name }) => name.endsWith('.p'))) {
      const name = relative(suite, folder).split(sep).join('/')
      const kinds = expected === 'violated' ? kindsTold(name, sourcesIn(folder)) : []
      found.push({
        name,
        folder,
        expected,
        kinds,
        feature: name.split('/')[0],
        reason: stale.get(name) ?? staleKinds.get(name),
      })
      return
    }
    for (const entry of entries) if (entry.isDirectory()) visit(join(folder, entry.name))
  }
  visit(suite)
  return found.sort((left, right) => (left.name < right.name ? -1 : 1))
}

function sourcesIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.p'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}

/** Names of tests that a suite lists beside its program. */
export function testsTold(folder) {
  const file = join(folder, 'ExpectedParametricTests.txt')
  if (!existsSync(file) || !statSync(file).isFile()) return []
  return readFileSync(file, 'utf8')
    .split(/\s+/)
    .filter((name) => name !== '')
}

/** By the words that people use for them. */
const words = [
  ['liveness', /\bliveness\b/i],
  ['deadlock', /\bdeadlock\b/i],
  ['unhandled event', /\bunhandled\b/i],
  ['endless handler', /\binfinite loop\b/i],
  ['index', /\bindex[ -]out[ -]of[ -]bounds\b|\bindex &&|&& index <=?/i],
  ['key', /\bkey (?:not found|must|already)|\bmissing key\b|\bduplicate key\b/i],
  ['cast', /\bcasting error\b|\binvalid cast|\bmust be a member of type\b|\bmust have a concrete type\b/i],
  ['choice', /\btoo many choices\b|\bempty choice\b/i],
  ['null', /\bnull (?:ptr|pointer|target|deref)|\bnull dereference\b/i],
  ['division', /\bdivi(?:sion|des?) by zero\b/i],
]

/** Kinds of error that the name of a program or its comments speak of; none: it cannot be known. */
export function kindsTold(name, sources) {
  const spoken = [inWords(name), ...sources.flatMap(commentsOf)]
  const told = spoken.flatMap(({ text, beside }) => [
    ...words.filter(([, sign]) => sign.test(text)).map(([kind]) => kind),
    ...(/\bassert\b/.test(beside) && /\bfails\b/i.test(text) ? ['assertion'] : []),
  ])
  return [...new Set(told)]
}

/** `tooManyChoicesMap` is read as it is spoken. */
function inWords(name) {
  const text = name.replaceAll(/[/_]/g, ' ').replaceAll(/([a-z])([A-Z])/g, '$1 $2')
  return { text, beside: '' }
}

/** Those before the first line of code, and those beside code. What stands alone further down is about code that was taken out. */
function commentsOf(source) {
  const lines = source.split('\n').map((line) => {
    const at = line.indexOf('//')
    return at === -1
      ? { beside: line.trim(), text: '' }
      : { beside: line.slice(0, at).trim(), text: line.slice(at + 2) }
  })
  const first = lines.findIndex(({ beside }) => beside !== '' && !beside.startsWith('/*') && !beside.startsWith('*'))
  return lines.filter(({ text, beside }, at) => text !== '' && (at < first || beside !== ''))
}

/** What a violation is in the same words. */
export function kindOf({ kind, message }) {
  if (kind === 'deadlock' || kind === 'liveness') return kind
  return said.find(([sign]) => sign.test(message))?.[1] ?? 'assertion'
}

const said = [
  [/^\S+: unhandled event\b/, 'unhandled event'],
  [/^\S+: null (?:target|event|element)\b/, 'null'],
  [/^\S+: send not permitted\b/, 'permission'],
  [/^\S+: index out of range\b/, 'index'],
  [/^\S+: (?:missing|duplicate) key\b/, 'key'],
  [/^\S+: bad cast\b/, 'cast'],
  [/^\S+: (?:empty choice|too many choices)\b/, 'choice'],
  [/^\S+: division by zero\b/, 'division'],
  [/^\S+: endless handler\b/, 'endless handler'],
  [/^\S+: (?:integer overflow|value too large)\b/, 'size'],
]
