/** A page, carried out: its files written, its commands run, its TypeScript compiled. */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type Block, blocksOf, type Command, commandsOf, outputLines } from './page.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Inside the clone, so that `import 'allways'` finds it, and in a folder that git does not see. */
export function temporaryFolder(name: string): string {
  mkdirSync(join(root, '.allways'), { recursive: true })
  return mkdtempSync(join(root, '.allways', `docs-${name.replaceAll(/\W/g, '-')}-`))
}

export interface Ran {
  readonly command: Command
  readonly output: readonly string[]
  readonly code: number
}

/** Every command of a page, in order, in a folder of its own that holds what a clone holds. */
export async function runPage(page: string, name: string): Promise<readonly Ran[]> {
  const folder = temporaryFolder(name)
  try {
    prepare(folder, page)
    const actions = blocksOf(page).flatMap(actionsOf)
    const commands = actions.flatMap((action) => (action.kind === 'command' ? [action.command] : []))
    if (commands.length === 0) return []
    const results = await runActions(folder, actions)
    return commands.map((command, at) => {
      const result = results[at]
      if (result === undefined) throw new Error(`line ${command.line}: "${command.text}" did not run`)
      return { command, output: outputLines(result.output.replaceAll(folder, '/home/you')), code: result.code }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const sharedFolders = ['examples', 'corpus']

/** A file of the clone: a page may show it, or a part of it, but not another one in its place. */
export function isShared(file: string): boolean {
  return sharedFolders.some((folder) => file.startsWith(`${folder}/`))
}

/** What a clone holds, as far as the page speaks about it, and a test runner that is not set up like ours. */
function prepare(folder: string, page: string): void {
  for (const shared of sharedFolders) {
    if (page.includes(`${shared}/`)) cpSync(join(root, shared), join(folder, shared), { recursive: true })
  }
  // Pages run at the same time: five seconds are too short for a first start on a busy machine.
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default { test: { testTimeout: 600_000 } }\n')
}

type Action =
  | { readonly kind: 'file'; readonly file: string; readonly text: string }
  | { readonly kind: 'command'; readonly command: Command; readonly text: string }

function actionsOf(block: Block): readonly Action[] {
  if (block.language === 'console') {
    return commandsOf(block).map((command) => ({ kind: 'command', command, text: command.text }))
  }
  if (block.file === undefined || isShared(block.file)) return []
  return [{ kind: 'file', file: block.file, text: `${block.lines.join('\n')}\n` }]
}

interface Result {
  readonly output: string
  readonly code: number
}

async function runActions(folder: string, actions: readonly Action[]): Promise<readonly Result[]> {
  const plain = actions.map((action) => (action.kind === 'file' ? action : { kind: 'command', text: action.text }))
  const runner = join(dirname(fileURLToPath(import.meta.url)), 'run-commands.mjs')
  const child = spawn(process.execPath, [runner], { stdio: ['pipe', 'pipe', 'pipe'] })
  const [output, errors] = [collected(child.stdout), collected(child.stderr)]
  child.stdin.end(JSON.stringify({ folder, actions: plain }))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`the commands could not be run:\n${errors()}`)
  return JSON.parse(output()) as readonly Result[]
}

function collected(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}

/** Compiles all TypeScript of some pages at once; the errors, with page and line. */
export async function compileErrors(pages: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const folder = temporaryFolder('types')
  try {
    const origins = new Map<string, { readonly page: string; readonly line: number }>()
    for (const [name, page] of pages) writeSources(join(folder, name.replaceAll(/\W/g, '-')), name, page, origins)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(compilerSettings))
    writeFileSync(join(folder, 'packages.d.ts'), packagesOfReaders)
    const printed = await compile(folder)
    return printed.split('\n').flatMap((line) => {
      const [, file = '', row, rest] = /^(.+?)\((\d+),\d+\): (error .*)$/.exec(line) ?? []
      const origin = origins.get(join(folder, file))
      return rest === undefined ? [] : [`${origin?.page ?? file}:${(origin?.line ?? 1) + Number(row) - 1}: ${rest}`]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What readers have installed, and we have not: as much of it as pages use. */
const packagesOfReaders = `declare module 'redis' {
  export function createClient(): {
    get(name: string): Promise<string | null>
    set(name: string, value: string): Promise<unknown>
  }
}
`

const compilerSettings = {
  extends: '../../tsconfig.json',
  // A process may be declared for its looks, and a test runner's types are as the runner likes.
  compilerOptions: { noUnusedLocals: false, skipLibCheck: true },
  include: ['.'],
  exclude: [],
}

/** Every block in a folder of its own, with the page's files so far beside it, because a later block may replace one. */
function writeSources(
  folder: string,
  name: string,
  page: string,
  origins: Map<string, { readonly page: string; readonly line: number }>,
): void {
  const soFar = new Map<string, Block>()
  for (const [at, block] of blocksOf(page).entries()) {
    if (block.language !== 'ts') continue
    const file = block.file ?? 'block.ts'
    if (block.file !== undefined) soFar.set(file, block)
    const beside = block.lines.some((line) => /from '\.\//.test(line)) ? soFar : new Map([[file, block]])
    for (const [sibling, { lines, line }] of new Map([...beside, [file, block]])) {
      const path = join(folder, String(at), sibling)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `${lines.join('\n')}\n`)
      origins.set(path, { page: name, line })
    }
  }
}

async function compile(folder: string): Promise<string> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const child = spawn(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { cwd: folder })
  const output = collected(child.stdout)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (code !== 0 && output() === '') throw new Error(`the compiler ended with ${code}`)
  return output()
}
