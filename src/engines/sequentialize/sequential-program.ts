/**
 * A proof, read as the sequential program it stands for: what processes compute and what they receive, in an order that is as
 * good as any (Brisk §2.1, Figure 2.2). A message is one assignment: there is nothing under way that anybody could see.
 */
import type { RestingProcess, SequentialLine } from '../../core/evidence.ts'
import { countText, type Statement, type StatementOf, statementsById } from '../../program/icet.ts'
import { type Entry, endsOf, memberOf } from './configuration.ts'
import { closeIteration, openIteration } from './iterate-rule.ts'
import { joinStates } from './join.ts'
import { apply } from './kernel.ts'
import { cases } from './local-rules.ts'
import { headOf } from './position.ts'
import type { Iterate, ProofStep } from './proof.ts'
import type { State } from './state.ts'
import type { StaticFacts } from './static-facts.ts'
import { hasUnknown } from './value.ts'
import { expressionText, partyText, valueText } from './value-text.ts'

export function sequentialLines(start: State, steps: readonly ProofStep[]): readonly SequentialLine[] {
  const reader = new Reader(start.facts)
  reader.follow(start, steps, 0)
  return reader.lines
}

class Reader {
  readonly lines: SequentialLine[] = []
  readonly #statements: ReadonlyMap<number, Statement>

  constructor({ icet }: StaticFacts) {
    this.#statements = statementsById(icet)
  }

  follow(start: State, steps: readonly ProofStep[], depth: number): State {
    let state = start.copy()
    for (const step of steps) {
      if (step.rule === 'iterate') state = this.#iteration(state, step, depth)
      else if (step.rule === 'branch') state = this.#branch(state, step, depth)
      else {
        if (step.rule === 'receive') this.#message(state, step, depth)
        const after = apply(state.copy(), step)
        if (step.rule === 'step') this.#local(after, step, depth)
        if (step.rule === 'unfold') this.#line(depth, `take any ${step.set}`)
        state = after
      }
    }
    return state
  }

  #message(state: State, step: Extract<ProofStep, { rule: 'receive' }>, depth: number): void {
    const receive = this.#statements.get(step.statement)
    if (receive?.kind !== 'receive') return
    const after = apply(state.copy(), step)
    const left = after.configuration.queue(step.from, step.party)
    const taken = state.configuration.queue(step.from, step.party).find((entry) => !left.includes(entry)) as Entry
    const into = receive.variable === undefined ? ' takes' : `.${receive.variable} =`
    const sentAt = this.#statements.get(taken.site)?.place
    const text = `${partyText(step.party)}${into} ${valueText(taken.value)}`
    this.lines.push({ depth, text, place: receive.place, sentAt })
  }

  #local(after: State, { party, statement: id }: Extract<ProofStep, { rule: 'step' }>, depth: number): void {
    const statement = this.#statements.get(id)
    const owner = partyText(party)
    switch (statement?.kind) {
      case 'assign':
        if (!isPlumbing(statement))
          this.#line(depth, `${owner}.${statement.variable} = ${this.#assigned(after, party, statement)}`, statement)
        return
      case 'choose':
        return this.#line(
          depth,
          `${owner}.${statement.variable} = one of ${statement.options.map(expressionText).join(', ')}`,
          statement,
        )
      case 'pick':
        return this.#line(depth, `${owner}.${statement.variable} = some ${statement.set}`, statement)
      case 'assert':
      case 'assume':
        return this.#line(depth, `${statement.kind} ${owner}: ${expressionText(statement.condition)}`, statement)
      case 'fail':
        return this.#line(depth, `fail ${owner}: ${statement.message}`, statement)
      default:
        return
    }
  }

  /** The value if it is spelled out, else how it is computed. */
  #assigned({ configuration }: State, party: string, { variable, value: expression }: StatementOf<'assign'>): string {
    const value = configuration.parties.get(party)?.store.get(variable)
    return value === undefined || hasUnknown(value) ? expressionText(expression) : valueText(value)
  }

  #branch(state: State, step: Extract<ProofStep, { rule: 'branch' }>, depth: number): State {
    const statement = this.#statements.get(step.statement)
    const owner = partyText(step.party)
    const arms = cases(state, step.party, step.statement).map((arm, index) => ({ arm, index }))
    const possible = arms.flatMap(({ arm, index }) => (arm === undefined ? [] : [{ arm, index }]))
    // Where there is only one way, there is nothing to decide.
    const isOpen = possible.length > 1
    const ended = possible.map(({ arm, index }, at) => {
      if (isOpen) this.#line(depth, armHead(statement, owner, index, at === 0), at === 0 ? statement : undefined)
      return this.follow(arm, step.arms[index] as readonly ProofStep[], isOpen ? depth + 1 : depth)
    })
    if (isOpen) this.#line(depth, '}')
    return joinStates(ended, step.statement)
  }

  #iteration(state: State, step: Iterate, depth: number): State {
    const loop = step.leaders[0] === undefined ? undefined : this.#statements.get(step.leaders[0].statement)
    this.#line(depth, `${this.#loopHead(state, step)} {`, loop)
    const before = this.lines.length
    const ended = this.follow(openIteration(state, step), step.body, depth + 1)
    if (this.lines.length === before) this.lines.pop()
    else this.#line(depth, '}')
    return closeIteration(state, ended, step)
  }

  #loopHead(state: State, { over, leaders }: Iterate): string {
    if (over !== undefined) return `for each ${over}`
    const loop = this.#statements.get(leaders[0]?.statement ?? -1)
    if (loop?.kind === 'repeat') return `repeat ${countText(loop.count)} times`
    return loop?.kind === 'each' ? `repeat ${sizeText(state, loop.set)} times` : 'repeat'
  }

  #line(depth: number, text: string, statement?: Statement): void {
    this.lines.push({ depth, text, place: statement?.place })
  }
}

function sizeText({ facts }: State, set: string): string {
  const { count } = facts.process(set)
  return count === undefined ? '1' : countText(count)
}

/** What only names things, such as `const me = self()`. */
function isPlumbing(statement: StatementOf<'assign'>): boolean {
  const { value } = statement
  return value.kind === 'self' || value.kind === 'process' || value.kind === 'variable' || value.kind === 'field'
}

function armHead(statement: Statement | undefined, owner: string, index: number, isFirst: boolean): string {
  const lead = isFirst ? '' : '} else '
  if (statement?.kind === 'choose') {
    const option = statement.options[index]
    const text = option === undefined ? '…' : expressionText(option)
    return `${lead}if (${owner}.${statement.variable} = ${text}) {`
  }
  if (statement?.kind !== 'if') return `${lead}{`
  return isFirst ? `if (${owner}: ${expressionText(statement.condition)}) {` : '} else {'
}

/** Where everybody stands. */
export function restingProcesses({ configuration }: State): readonly RestingProcess[] {
  return [...configuration.parties.values()]
    .filter(({ form, process }) => form !== 'member' || process.count === undefined)
    .map(({ process, position, form }) => {
      const told = configuration.parties.get(memberOf(process.name))
      const head = headOf(told?.position ?? position)
      const at = head === undefined ? undefined : { place: head.place, text: statementText(head) }
      return { process: process.name, isSet: form === 'set', isDaemon: process.daemon, at }
    })
}

/** Messages under way, in words. */
export function messagesUnderWay({ configuration }: State): readonly string[] {
  return [...configuration.queues].flatMap(([key, entries]) => {
    const [from, to] = endsOf(key)
    return entries.map(({ value, count }) => {
      const number = count === undefined ? '' : `${countText(count)} × `
      return `${number}${valueText(value)} from ${sender(configuration.parties.get(from)?.form, from)} to ${partyText(to)}`
    })
  })
}

function sender(form: string | undefined, id: string): string {
  if (form === 'set') return `each ${id}`
  return id.endsWith('/') ? `some ${partyText(id)}` : partyText(id)
}

export function statementText(statement: Statement): string {
  switch (statement.kind) {
    case 'receive': {
      const kinds = statement.kinds?.map((kind) => `'${kind}'`).join(' or ') ?? ''
      const from = statement.from === undefined ? '' : ` from ${expressionText(statement.from)}`
      return `receive ${kinds === '' ? 'anything' : kinds}${from}`
    }
    case 'send':
      return `send ${expressionText(statement.message)} to ${expressionText(statement.to)}`
    case 'each':
      return `for each ${statement.set}`
    case 'repeat':
      return `repeat ${countText(statement.count)} times`
    case 'while':
      return 'while (…)'
    case 'if':
      return `if (${expressionText(statement.condition)})`
    case 'assert':
    case 'assume':
      return `${statement.kind}(${expressionText(statement.condition)})`
    case 'fail':
      return `fail: ${statement.message}`
    case 'assign':
      return `${statement.variable} = ${expressionText(statement.value)}`
    default:
      return statement.kind
  }
}
