/** A generated program as the text of a check file: what a failing comparison leaves on the screen, ready to run. */
import type { NetworkName } from '../../src/core/operation.ts'
import { type Condition, childId, type Filter, type Instruction, type ProgramText } from './text.ts'

export function printProgram(text: ProgramText, network: NetworkName): string {
  const properties = [...printMonitor(text), ...printFinal(text)]
  return [
    `import { announce, assert, assume, choose, final, join, monitor, poll, program, receive, self, send, spawn } from 'allways'`,
    '',
    ...(properties.length === 0 ? [] : ['const properties = [', ...indented(properties), ']', '']),
    `export default program('${text.name}', { network: '${network}'${text.faults === undefined ? '' : `, faults: ${JSON.stringify(text.faults)}`}${properties.length === 0 ? '' : ', properties'} }, function* () {`,
    ...indented(printBody(text.main, 'main', new Set())),
    '})',
    '',
  ].join('\n')
}

function printBody(body: readonly Instruction[], id: string, before: ReadonlySet<string>): string[] {
  const visible = new Set(before).add(id)
  const lines = body.flatMap((instruction) => {
    if (instruction.kind === 'spawn') visible.add(childId(id, instruction.name))
    return printInstruction(instruction, id, visible)
  })
  return ['let last, sender', `const ${nameOf(id)} = yield* self()`, ...lines, 'return last']
}

function printInstruction(instruction: Instruction, id: string, visible: ReadonlySet<string>): string[] {
  switch (instruction.kind) {
    case 'send':
      return [printSend(instruction, id, visible)]
    case 'receive':
      return [`{ const m = yield* receive(${printWanted(instruction, visible)}); last = m.value; sender = m.from }`]
    case 'poll':
      return [`{ const m = yield* poll(${printWanted(instruction, visible)}); last = m?.value; sender = m?.from }`]
    case 'choose':
      return [
        `last = yield* choose([${Array.from({ length: instruction.options }, (_, option) => option).join(', ')}])`,
      ]
    case 'assume':
      return [`yield* assume(${printCondition(instruction.that)})`]
    case 'assert':
      return [`yield* assert(${printCondition(instruction.that)}, \`last is \${last}\`)`]
    case 'announce':
      return [`yield* announce({ kind: '${instruction.tag}', value: last ?? 0 })`]
    case 'join':
      return [`yield* join(${addressOf(instruction.target, visible)})`]
    case 'spawn': {
      const child = childId(id, instruction.name)
      const { daemon, crashes } = instruction
      const chosen = [...(daemon ? ['daemon: true'] : []), ...(crashes === false ? ['crashes: false'] : [])]
      const options = chosen.length === 0 ? '' : `{ ${chosen.join(', ')} }, `
      const head = `const ${nameOf(child)} = yield* spawn('${instruction.name}', ${options}function* () {`
      return [head, ...indented(printBody(instruction.body, child, visible)), '})']
    }
  }
}

function printSend(
  instruction: Extract<Instruction, { kind: 'send' }>,
  id: string,
  visible: ReadonlySet<string>,
): string {
  const to = instruction.to === 'sender' ? 'sender' : addressOf(instruction.to.id, visible)
  const value = instruction.value === 'last' ? 'last ?? 0' : instruction.value
  const network = instruction.network === undefined ? '' : `, { network: '${instruction.network}' }`
  const sending = `yield* send(${to}, { kind: '${instruction.tag}', value: ${value}${instruction.anonymous ? '' : `, from: ${nameOf(id)}`} }${network})`
  const conditions = [
    ...(instruction.to === 'sender' ? ['sender'] : []),
    ...(instruction.when.kind === 'always' ? [] : [printCondition(instruction.when)]),
  ]
  return conditions.length === 0 ? sending : `if (${conditions.join(' && ')}) ${sending}`
}

function printCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'always':
      return 'true'
    case 'is':
      return `last === ${condition.value}`
    case 'even':
      return 'last !== undefined && last % 2 === 0'
    case 'nothing':
      return 'last === undefined'
  }
}

function printWanted(
  { filter, from }: Extract<Instruction, { kind: 'receive' | 'poll' }>,
  visible: ReadonlySet<string>,
): string {
  const where = printFilter(filter)
  if (from === undefined) return where
  const options = from === 'sender' ? 'sender && { from: sender }' : `{ from: ${addressOf(from.id, visible)} }`
  return where === '' ? options : `${where}, ${options}`
}

function printFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'any':
      return ''
    case 'tag':
      return `'${filter.tag}'`
    case 'value':
      return `(m) => m.value === ${filter.value}`
    case 'parity':
      return `(m) => m.value % 2 === ${filter.parity}`
    case 'other':
      return '((before) => (m) => m.value !== before)(last)'
    case 'changing':
      return '(m) => m.value !== last'
    case 'throwing':
      return `(m) => { if (m.value % 2 === ${filter.parity}) throw new Error('refused'); return m.kind === '${filter.tag}' }`
  }
}

function printMonitor({ monitor }: ProgramText): string[] {
  if (monitor === undefined) return []
  const observes = `({ kind, message }) => kind === 'announce' || (kind === 'send' && message.kind === '${monitor.tag}')`
  const ignored = Array.from({ length: monitor.hears - 1 }, () => 'yield* receive()')
  return [
    `monitor('watcher', { observes: ${observes} }, function* () {`,
    ...indented([
      ...ignored,
      'const { message } = yield* receive()',
      `yield* assert(message.value !== ${monitor.fears}, 'heard ${monitor.fears}')`,
    ]),
    '}),',
  ]
}

function printFinal({ unwantedSum }: ProgramText): string[] {
  if (unwantedSum === undefined) return []
  return [
    `final('sum', ({ returned }) => {`,
    ...indented([
      'const sum = [...returned.values()].reduce((total, value) => total + (value ?? 0), 0)',
      `return sum !== ${unwantedSum} || \`the sum is \${sum}\``,
    ]),
    '}),',
  ]
}

/** The printed functions nest as the processes do, so everyone sees who came before; others go by an internal of ours. */
function addressOf(id: string, visible: ReadonlySet<string>): string {
  return visible.has(id) ? nameOf(id) : `Address.of('${id}')`
}

function nameOf(id: string): string {
  return id.replaceAll('/', '_')
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
