/**
 * Everything the pages show is true: what they print is printed by the command above it, their TypeScript compiles, their
 * links lead somewhere. After a change of output, `UPDATE_DOCS=1 npx vitest run test/docs` writes the new one into the pages.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { Ajv } from 'ajv'
import { check } from 'allways'
import { describe, expect, test } from 'vitest'
import { program1, program2, program3, program4 } from '../../corpus/network-comparison/model.check.ts'
import { parseArguments } from '../../src/cli/arguments.ts'
import { long, longIf } from '../amount.ts'
import { difference, elision } from './compare.ts'
import { type Block, blocksOf, commandsOf, type Edit, edited } from './page.ts'
import { compileErrors, isShared, type Ran, root, runPage } from './session.ts'

const guide = readdirSync(join(root, 'docs/guide'), { encoding: 'utf8', recursive: true })
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.replaceAll('\\', '/'))
const executed = ['README.md', ...guide.map((name) => `docs/guide/${name}`)]
const texts = new Map(executed.map((name) => [name, readFileSync(join(root, name), 'utf8')]))
const updating = process.env.UPDATE_DOCS === '1'
/** While one works, the first commands that somebody types are enough. */
const first = ['README.md', 'docs/guide/getting-started.md']

describe('the guide', () => {
  for (const name of executed) {
    const isLong = !first.includes(name) && !updating
    test.concurrent(`every command of ${name} prints what the page shows`, longIf(isLong), async () => {
      const page = texts.get(name) ?? ''
      const ran = await runPage(page, name)
      const written = page.split('\n').filter((line) => line.startsWith('$ '))
      expect(ran.map(({ command }) => `$ ${command.text}`)).toEqual(written)
      expect(ran.length).toBeGreaterThan(0)
      if (updating)
        writeFileSync(join(root, name), edited(page, [...outputEdits(page, ran), ...pictureEdits(page, ran)]))
      const wrong = ran.flatMap((one) => problemsOf(name, one, updating))
      expect(wrong.join('\n\n')).toBe('')
      expect(
        updating ? [] : pictureEdits(page, ran).map(({ line }) => `${name}:${line}: not the output above it`),
      ).toEqual([])
    })
  }

  test('all TypeScript in it compiles', long, async () => {
    expect(await compileErrors(texts)).toEqual([])
  })

  test.each(executed)('every block of %s is one that something checks', (name) => {
    const blocks = blocksOf(texts.get(name) ?? '')
    const problems = blocks.flatMap((block, at) => blockProblems(block, blocks.slice(at + 1)))
    expect(problems).toEqual([])
  })

  test('shows at least fifty programs and ninety commands', () => {
    const blocks = [...texts.values()].flatMap(blocksOf)
    const commands = blocks.filter(({ language }) => language === 'console').flatMap(commandsOf)
    const programs = blocks.filter(({ file }) => file !== undefined)
    expect(programs.length).toBeGreaterThanOrEqual(50)
    expect(commands.length).toBeGreaterThanOrEqual(90)
  })
})

describe('tables that no command prints', () => {
  const networks = ['bag', 'fifo', 'causal', 'mailbox']

  test('networks.md counts the executions of the corpus programs as dpor does', async () => {
    const rows = [...(texts.get('docs/guide/networks.md') ?? '').matchAll(/^\| `(program\d)` \|(( \d+ \|){4})/gm)]
    const counted = [program1, program2, program3, program4].map(async (program) => {
      const verdicts = await Promise.all(networks.map((network) => check(program, { network })))
      return `${program.name}${verdicts.map(({ counts }) => ` ${counts.executions} |`).join('')}`
    })
    expect(rows.map(([, name, cells]) => `${name}${cells}`)).toEqual(await Promise.all(counted))
  })

  test('command-line.md names every flag of every command, and no other', () => {
    const commands = [
      'check',
      'fuzz',
      'prove',
      'linearize',
      'replay',
      'show',
      'run',
      'online',
      'list',
      'merge',
      'worker',
    ]
    const helps = commands.map((command) => parseArguments([command, '--help']))
    const printed = helps.map((help) => (help.ok && help.value.kind === 'print' ? help.value.text : '')).join('\n')
    const flags = (text: string) => [...new Set(text.match(/--[a-z][a-z-]*/g))].sort()
    const page = texts.get('docs/guide/command-line.md') ?? ''
    expect(flags(page)).toEqual(flags(`${printed} --version`))
  })
})

describe('every page', () => {
  const pages = [...executed, 'CHANGELOG.md', 'docs/errors.md', 'docs/papers.md']

  test.each(pages)('%s has no link that leads nowhere', (name) => {
    const text = readFileSync(join(root, name), 'utf8')
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    expect(targets.filter((target) => !/^https:/.test(target) && !leadsSomewhere(target, name))).toEqual([])
  })

  test.each(pages)('%s is at most 100 columns wide, tables aside', (name) => {
    const lines = readFileSync(join(root, name), 'utf8').split('\n')
    expect(lines.filter((line) => [...line].length > 100 && !line.startsWith('|'))).toEqual([])
  })

  test('every page of the guide is reached from README.md, or from the index of troubleshooting', () => {
    const readme = texts.get('README.md') ?? ''
    const index = texts.get('docs/guide/troubleshooting.md') ?? ''
    const reached = (name: string) =>
      name.includes('/') ? index.includes(`(${name})`) : readme.includes(`(docs/guide/${name})`)
    expect(guide.filter((name) => !reached(name))).toEqual([])
  })
})

describe('the comparison of outputs', () => {
  const shown = ['verified  all 3 executions      0.02 s', '  done']

  test('takes other durations and other margins for the same', () => {
    expect(difference(shown, ['verified  all 3 executions   11.3 s', '  done'])).toBeUndefined()
    expect(difference(['x    violated   0.02 s'], ['x violated   3 min 05 s'])).toBeUndefined()
    expect(difference(['x violated at 3 s'], ['x    violated at 3 s'])).toContain('violated at')
  })

  test('sees a changed count, a missing line and a line too many', () => {
    expect(difference(shown, ['verified  all 4 executions      0.02 s', '  done'])).toContain('all 4 executions')
    expect(difference(shown, shown.slice(0, 1))).toContain('printed: (nothing)')
    expect(difference(shown, [...shown, 'more'])).toContain('printed: more')
    expect(difference([], ['more'])).toContain('printed: more')
  })

  test('lets a line with an ellipsis stand for lines, but not for those after it', () => {
    expect(difference(['a', elision, 'd'], ['a', 'b', 'c', 'd'])).toBeUndefined()
    expect(difference(['a', elision, 'd'], ['a', 'b', 'c', 'e'])).toContain('does not fit')
    expect(difference(['a', elision], ['b', 'c'])).toContain('does not fit')
  })
})

function problemsOf(name: string, { command, output }: Ran, onlyElided: boolean): readonly string[] {
  if (onlyElided && !command.expected.includes(elision)) return []
  const found = difference(command.expected, output)
  return found === undefined ? [] : [`${name}:${command.line}  $ ${command.text}\n${found}`]
}

/** Outputs that fit stay as they are, so that an update changes no durations for nothing. */
function outputEdits(page: string, ran: readonly Ran[]): readonly Edit[] {
  const lines = page.split('\n')
  return ran.flatMap(({ command, output }) => {
    const { expected, line } = command
    if (expected.includes(elision) || difference(expected, output) === undefined) return []
    const count = expected.length
    // A blank line separates two commands of one block; it belongs to the output of neither.
    const separated = count === 0 && lines[line]?.startsWith('$ ') ? [...output, ''] : output
    return [{ line: line + 1, count, lines: separated }]
  })
}

/** A diagram is drawn from what the command before it printed. */
function pictureEdits(page: string, ran: readonly Ran[]): readonly Edit[] {
  return blocksOf(page)
    .filter(({ language }) => language === 'mermaid')
    .flatMap(({ line, lines }) => {
      const output = ran.findLast(({ command }) => command.line < line)?.output ?? []
      return difference(lines, output) === undefined ? [] : [{ line, count: lines.length, lines: output }]
    })
}

function blockProblems(block: Block, later: readonly Block[]): readonly string[] {
  const at = `line ${block.line}`
  switch (block.language) {
    case 'console':
    case 'mermaid':
      return []
    case 'ts':
    case 'js':
    case 'p':
      return [
        ...(isUsed(block, later) ? [] : [`${at}: no command uses the file "${block.file ?? '(no name)'}"`]),
        ...(isShown(block) ? [] : [`${at}: this is not what stands in ${block.file}`]),
      ]
    case 'json':
      // A file is read by a command, which may be meant to complain; what is only shown must be right.
      return (block.file === undefined ? jsonProblems(block) : []).map((problem) => `${at}: ${problem}`)
    case 'sh':
      return unbroken(block.lines)
        .flatMap(commandProblems)
        .map((problem) => `${at}: ${problem}`)
    case 'yaml':
      return stepsOf(block.lines)
        .flatMap(commandProblems)
        .map((problem) => `${at}: ${problem}`)
    default:
      return [`${at}: nothing checks blocks of language "${block.language}"`]
  }
}

/** By a command, or by a file that imports it, before another block replaces it. */
function isUsed({ file }: Block, later: readonly Block[]): boolean {
  if (file === undefined) return false
  const replaced = later.findIndex((block) => block.file === file)
  const reach = replaced === -1 ? later : later.slice(0, replaced)
  // Traces and checkpoints are named after the program.
  const stem = file.replace(/\..*$/, '')
  return reach.some(({ lines }) => lines.some((line) => /^\$ |(?:from|import) '\.\//.test(line) && line.includes(stem)))
}

/** What a page shows of a file of the clone stands in that file, line for line. */
function isShown({ file, lines }: Block): boolean {
  if (file === undefined || !isShared(file)) return true
  return readFileSync(join(root, file), 'utf8').includes(`${lines.join('\n')}\n`)
}

const schemas: { readonly [format: string]: string } = {
  'allways-report/1': 'schema/allways-report-1.json',
  'allways-trace/2': 'schema/allways-trace-2.json',
}

function jsonProblems({ lines }: Block): readonly string[] {
  const json = JSON.parse(lines.join('\n')) as { readonly format?: string }
  const schema = schemas[json.format ?? '']
  if (schema === undefined) return []
  const ajv = new Ajv({ allErrors: true, strict: false })
  ajv.validate(JSON.parse(readFileSync(join(root, schema), 'utf8')) as object, json)
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** A command may go on in the next line, after a backslash. */
function unbroken(lines: readonly string[]): readonly string[] {
  return lines.join('\n').replaceAll(/\\\n/g, ' ').split('\n')
}

/** Commands of a workflow, with 1 for what it knows when it runs. */
function stepsOf(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const [, command] = /^ *- run: (.*?)(?: > \S+)?$/.exec(line) ?? []
    return command === undefined ? [] : [command.replaceAll(/\$\{\{.*?\}\}/g, '1')]
  })
}

/** Commands that a test cannot run: their parts must exist. */
function commandProblems(line: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  return line.split('&&').flatMap((part) => {
    const [command = '', ...words] = part.trim().split(/\s+/)
    if (command === 'npx' && words[0] === 'allways') return argumentProblems(words.slice(1))
    const known =
      command === 'npm' &&
      (['ci', 'install'].includes(words[0] ?? '') || (words[0] ?? '') in manifest.scripts || words[0] === 'run')
    return known ? [] : [`nothing checks the command "${part.trim()}"`]
  })
}

function argumentProblems(argv: readonly string[]): readonly string[] {
  const parsed = parseArguments(argv)
  if (!parsed.ok) return parsed.diagnostics.map(({ message }) => message)
  const files = 'files' in parsed.value ? parsed.value.files : []
  return files.filter((file) => !existsSync(join(root, file))).map((file) => `there is no ${file}`)
}

function leadsSomewhere(target: string, from: string): boolean {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? join(root, from) : resolve(root, dirname(from), path)
  if (!existsSync(file)) return false
  if (anchor === undefined) return true
  const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
  return headings.includes(anchor)
}

/** As GitHub makes them. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
