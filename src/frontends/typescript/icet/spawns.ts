/** `spawn` and `spawnAll`: processes of the term. All start before anything is sent (Brisk §5.1), so that the term is flat. */
import type { Node } from 'oxc-parser'
import type { Count } from '../../../program/icet.ts'
import { evaluatedWith, unwrapped } from '../access/tree.ts'
import { isFunction } from '../syntax.ts'
import { countOf } from './counts.ts'
import type { Meaning, MeaningOf } from './meaning.ts'
import { indexOf } from './members.ts'
import { asValue } from './names.ts'
import type { ProcessState, ProgramState } from './process-state.ts'
import { notUpFront, outside } from './refusal.ts'
import type { Translator } from './translator.ts'
import { inOrder } from './values.ts'

type Call = Extract<Node, { type: 'CallExpression' }>

export function spawn(translator: Translator, node: Call): Meaning {
  const [name, ...rest] = node.arguments
  checkPosition(translator, node, `spawnAll(n, ${nameText(translator, name)}, …)`)
  const started = start(translator, node, { name, rest })
  return asValue(translator, { kind: 'process', name: started.name })
}

export function spawnAll(translator: Translator, node: Call): Meaning {
  const [size, name, ...rest] = node.arguments
  checkPosition(translator, node, 'one spawnAll(n, …) with the whole number of processes')
  if (size === undefined) return translator.refuse(node, notWritten('spawnAll without a number'))
  const count = countOf(translator, size)
  const started = start(translator, node, { name, rest, count })
  return { kind: 'set', name: started.name, count }
}

/** In a loop with so many rounds, which does nothing else. */
export function spawnEach(
  translator: Translator,
  node: Call,
  count: Count,
  index: Node & { readonly name: string },
): MeaningOf<'set'> {
  const [name, ...rest] = node.arguments
  checkPosition(translator, node, 'one spawnAll(n, …) with the whole number of processes')
  const started = start(translator, node, { name, rest, count, index })
  return { kind: 'set', name: started.name, count }
}

function nameText(translator: Translator, name: Node | undefined): string {
  if (name === undefined) return '…'
  // 'worker' of `worker ${i}`, which spawnAll numbers itself.
  const beginning = name.type === 'TemplateLiteral' ? (name.quasis[0]?.value.cooked ?? '').trim() : ''
  return beginning === '' ? translator.frame.module.line(name) : `'${beginning}'`
}

/** Assignments and choices may come first: they concern the spawning process alone. */
function checkPosition(translator: Translator, node: Call, rewrite: string): void {
  const { process } = translator
  if (translator.depth > 0) {
    translator.refuse(node, notUpFront('spawn inside a loop or condition', `write ${rewrite} at the beginning`))
  }
  if (process.count !== undefined) {
    const hint = 'spawn these processes in the main process, and send their addresses to the processes that need them'
    translator.refuse(node, notUpFront(`spawn by a member of the set "${process.name}"`, hint))
  }
  const before = process.body.find(({ kind }) => kind !== 'assign' && kind !== 'choose')
  if (before !== undefined) {
    const isTalk = before.kind === 'send' || before.kind === 'receive'
    const what = isTalk ? 'spawn after a message was sent or awaited' : 'spawn after a loop or condition'
    translator.refuse(node, notUpFront(what, 'move the spawn up, before the first send, receive, loop and condition'))
  }
}

/** The arguments of a `spawn`, and of `spawnAll` how many there are, and what numbers them. */
interface Spawned {
  readonly name: Node | undefined
  readonly rest: readonly Node[]
  readonly count?: Count | undefined
  readonly index?: (Node & { readonly name: string }) | undefined
}

function start(translator: Translator, node: Call, { name, rest, count, index }: Spawned): ProcessState {
  const numbered = name === undefined || index === undefined ? undefined : numberedBy(translator, name, index)
  const text = numbered?.join('').trim() ?? (name === undefined ? undefined : textOf(translator.value(name)))
  if (text === undefined) return translator.refuse(name ?? node, notWritten('the name of a process that is computed'))
  const [first] = rest
  const hasOptions = first !== undefined && !isBody(translator, first)
  const daemon = hasOptions && isDaemon(translator, first)
  const [written, ...args] = hasOptions ? rest.slice(1) : rest
  const body = written === undefined ? undefined : translator.value(written)
  if (written === undefined || body?.kind !== 'function' || args.some(({ type }) => type === 'SpreadElement')) {
    return translator.refuse(written ?? node, notWritten('a process body that is not a function of this program'))
  }
  const own = index === undefined ? [] : args.filter((one) => !performs(one))
  const values = inOrder(
    translator,
    args.filter((one) => !own.includes(one)),
  )
  const { program } = translator
  // Its body is being translated: translating it again would not end, and the number of processes would not be fixed.
  if (program.spawning.includes(body.node)) {
    translator.refuse(node, notUpFront('a process that spawns its own kind', 'spawn all processes in the main process'))
  }
  const spawnedAs = index === undefined ? undefined : (numbered ?? 'alike')
  const started = addProcess(program, { name: text, count, daemon, place: translator.place(node), spawnedAs })
  if (index !== undefined) bindOwnIndex(translator, index, started.name)
  const given = args.map((one) => ({ node: one, meaning: own.includes(one) ? undefined : values.shift() }))
  translator.parts.process(translator, started, { body, node, args: given })
  return started
}

/** `worker ${i}` */
function numberedBy({ frame }: Translator, written: Node, index: Node): readonly [string, string] | undefined {
  const node = unwrapped(written)
  if (node.type !== 'TemplateLiteral' || node.expressions.length !== 1) return undefined
  const [before, after] = node.quasis.map(({ value }) => value.cooked ?? '')
  const isIndex = frame.module.bindingOf(unwrapped(node.expressions[0] as Node)) === frame.module.bindingOf(index)
  return isIndex ? [before ?? '', after ?? ''] : undefined
}

/** The others, which may depend on the index, are evaluated as each member sees them. */
function performs(node: Node): boolean {
  return [...evaluatedWith(node)].some(({ type }) => type === 'YieldExpression' || type === 'AwaitExpression')
}

/** Of the member that asks: no owner, as it means something else in each. */
function bindOwnIndex({ frame }: Translator, index: Node, set: string): void {
  const binding = frame.module.bindingOf(index)
  if (binding !== undefined) frame.set(binding, { kind: 'value', expression: indexOf(set, { kind: 'self' }) })
}

/** Names of parameters are taken from the start, so that no variable of a process hides one. */
export function addProcess(
  { processes, least }: ProgramState,
  { name, spawnedAs, ...spawned }: Pick<ProcessState, 'name' | 'count' | 'daemon' | 'place'> & Partial<ProcessState>,
): ProcessState {
  const state: ProcessState = {
    ...spawned,
    name: uniqueName(processes, name),
    spawnedAs,
    body: [],
    taken: new Set(least.keys()),
    mutable: new Set(),
    changed: new Set(),
    messages: new Set(),
    named: new Set(),
  }
  processes.push(state)
  return state
}

/** As ids of namesakes are made: 'client', 'client#2'. */
function uniqueName(processes: readonly ProcessState[], name: string): string {
  let unique = name
  for (let number = 2; processes.some((process) => process.name === unique); number++) unique = `${name}#${number}`
  return unique
}

function notWritten(construct: string) {
  return outside(construct, "write spawn('name', function* (…) { … }, …) with the function itself or its name")
}

function textOf(meaning: Meaning): string | undefined {
  if (meaning.kind !== 'value' || meaning.expression.kind !== 'literal') return undefined
  return typeof meaning.expression.value === 'string' ? meaning.expression.value : undefined
}

function isBody(translator: Translator, node: Node): boolean {
  const written = unwrapped(node)
  if (isFunction(written)) return true
  const isName = written.type === 'Identifier' || written.type === 'MemberExpression'
  return isName && translator.value(written).kind === 'function'
}

const known: ReadonlySet<string> = new Set(['daemon', 'replica', 'crashes'])

function isDaemon(translator: Translator, node: Node): boolean {
  const options = translator.value(node)
  const daemon = options.kind === 'object' ? options.fields.get('daemon') : undefined
  const value = daemon?.kind === 'value' && daemon.expression.kind === 'literal' ? daemon.expression.value : undefined
  // The others matter to faults and to symmetry, of which a proof has neither.
  const isKnown = options.kind === 'object' && [...options.fields.keys()].every((name) => known.has(name))
  if (isKnown && (daemon === undefined || typeof value === 'boolean')) return value === true
  return translator.refuse(node, notWritten('an option of spawn that is computed'))
}
