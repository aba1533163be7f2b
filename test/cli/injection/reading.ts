/** Output read as whoever gets it would read it; what is found there and is not text of ours is told. */
import { pageWidth, widthOf } from '../../../src/reports/text-width.ts'

/** Everything but the newlines between our lines. */
const unseen = /[^\P{C}\n]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ourColours = /\u001b\[(?:1|2|22|31|32|36|39)m/g

interface Terminal {
  readonly isColoured?: boolean
  /** Names and files begin the lines of some lists, which are as wide as they are. */
  readonly isList?: boolean
  /** Nothing beyond it was asked for. */
  readonly isAscii?: boolean
  /** Lines are read by people alone, and not by GitHub's runner. */
  readonly isUnread?: boolean
  /** Lines are not laid out: those of a log, or the source text of a diagram. */
  readonly isLog?: boolean
}

/** What a terminal and GitHub's runner would do beside showing it, and what readers would take for ours. */
export function terminalFaults(
  printed: string,
  { isColoured = false, isList = false, isAscii = false, isUnread = false, isLog = false }: Terminal = {},
): readonly string[] {
  const text = isColoured ? printed.replace(ourColours, '') : printed
  const lines = text.split('\n')
  return [
    ...(text.match(unseen) ?? []).map((one) => `a character ${JSON.stringify(one)}`),
    ...(isUnread ? [] : ordersIn(text)),
    ...(isAscii ? (text.match(/[^\x20-\x7e\n]/gu) ?? []) : []).map((one) => `beyond ASCII ${one}`),
    ...(isLog || isList ? [] : lines.filter((line, at) => isTooWide(line, lines[at - 1]))).map(
      (line) => `a wide line ${line}`,
    ),
    ...(isList ? [] : lines.filter((line) => /^ {0,2}PLANTED/.test(line))).map((line) => `a line ${line}`),
    ...lines.filter((line) => forgery.test(line)).map((line) => `a forged line ${line}`),
    ...commandsIn(lines).flatMap(commandFaults),
  ]
}

function ordersIn(text: string): readonly string[] {
  return [...(text.match(/##\[/g) ?? []), ...text.split('\n').filter((line) => /^\s*::/.test(line))].map(
    (order) => `an order ${order}`,
  )
}

/**
 * Commands are not broken, so that they can be pasted; nor are notes, which are lines of a log. What keeps a line from being an order
 * to GitHub's runner is a space, put in when it was laid out.
 */
function isTooWide(line: string, before = ''): boolean {
  const laidOut = line.replaceAll('## [', '##[').replace(/^(\s*): :/, '$1::')
  if (widthOf(laidOut) <= pageWidth || isOwnLine.test(line) || quotedWords.test(line.trim())) return false
  return commandsIn([line]).length === 0 && commandsIn([before, line]).length === 0
}

const isOwnLine = /^ (?:note: |wrote )/

const steps = ['replay', 'picture', 'repair', 'resume', 'check', 'page']
const forgery = new RegExp(
  `^ {0,5}(?:(?:${steps.join('|')})\\s+npx FORGED|npx FORGED|hint: FORGED|note: FORGED|[✓✗◌] .?(?:verified  |x.check.ts:1  )FORGED)`,
)

/** A long command stands on a line of its own. */
function commandsIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, at) => {
    const [, label = '', beside] = /^ {3}(\w+)(?: {2,}(.*))?$/.exec(line) ?? []
    if (!steps.includes(label)) return []
    return [beside ?? lines[at + 1]?.trim() ?? '']
  })
}

/** Words of ours, words without a letter that a shell knows, and quoted ones; or a sentence that says what to type. */
const quotedWords =
  /^npx allways (?:check|replay|show|linearize|prove|run|online)(?: (?:[\w./:@%+=,-]+|'[^']*'|\\')+)*$/
const sentence = /^\(the \w+ has letters that cannot be pasted into a shell: type allways [A-Za-z -]+ yourself\)$/

function commandFaults(command: string): readonly string[] {
  return quotedWords.test(command) || sentence.test(command) ? [] : [`a command ${command}`]
}

/** Our part of Mermaid, line by line, in which a text has no letter that is syntax. */
export function mermaidFaults(printed: string): readonly string[] {
  if (printed === '') return []
  const [first, ...lines] = printed.replace(/\n$/, '').split('\n')
  return [
    ...terminalFaults(printed, { isLog: true }),
    ...(first === 'sequenceDiagram' ? [] : [`a beginning ${first}`]),
    ...lines
      .filter((line) => !statements.some((statement) => statement.test(line)))
      .map((line) => `a statement ${line}`),
  ]
}

/** `end` ends a block, `style` and `classDef` change how entities are read, `$$` begins a formula. */
const word = String.raw`(?:(?!\bend\b|style|classDef)(?:[^#;<>&"\\%$\n]|#\d+;))*`
const statements = [
  new RegExp(`^ {2}participant p\\d+ as ${word}$`),
  new RegExp(`^ {2}Note over p\\d+(?:,p\\d+)?: ${word}$`),
  new RegExp(`^ {2}p\\d+(?:->>|-->>|-x)p\\d+: ${word}$`),
  new RegExp(`^ {2}loop ${word}$`),
  /^ {2}end$/,
]

/** One value, in which nothing is an order to a terminal or the runner either. */
export function jsonFaults(printed: string): readonly string[] {
  const orders = [...(printed.match(unseen) ?? []), ...(printed.match(/##\[/g) ?? [])].filter((one) => one !== '\n')
  try {
    JSON.parse(printed)
    return orders.map((one) => `in JSON ${JSON.stringify(one)}`)
  } catch (error) {
    return [`no JSON: ${String(error)}`]
  }
}

/** A command in a hint is quoted, like one on a line of its own. */
export function hintFaults(printed: string): readonly string[] {
  const hints = [...textsIn(JSON.parse(printed))].filter(([path]) => path.endsWith('/hint'))
  return hints.flatMap(([, hint]) => {
    const [, command = ''] = /((?:npx allways|chmod \d+) .*)$/su.exec(hint) ?? []
    return command === '' || quotedWords.test(command) || /^chmod \d+ (?:[\w./-]+|'[^']*'|\\')+$/.test(command)
      ? []
      : [`a command in a hint ${command}`]
  })
}

/** Texts of a report by where they stand. */
export function* textsIn(content: unknown, path = ''): Generator<readonly [path: string, text: string]> {
  if (typeof content === 'string') yield [path, content]
  if (typeof content !== 'object' || content === null) return
  for (const [key, value] of Object.entries(content)) yield* textsIn(value, `${path}/${key}`)
}
