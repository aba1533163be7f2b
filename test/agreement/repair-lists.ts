/**
 * Two list sets of Synchrobench as processes that stop before every access, with the thesis' shrunk atomic sections and its
 * line numbers (thesis §2.3.5): enough to record executions of its clients without any front end.
 */
import type { CodeFunction, CodeSite } from '../../src/core/code.ts'
import type { Random } from '../../src/core/random.ts'
import type { RecordedAccess, RecordedExecution } from '../../src/properties/repair/execution.ts'

export type ListName = 'RW' | 'OPT'
type Operation = { readonly name: 'add' | 'remove'; readonly key: number }
export type Client = readonly (readonly Operation[])[]

/** As in '{r(0); a(1)} {a(0)}'. */
export function parseClient(text: string): Client {
  return [...text.matchAll(/\{([^}]*)\}/g)].map(([, group = '']) =>
    [...group.matchAll(/([ar])\((\d)\)/g)].map(([, name, key]) => ({
      name: name === 'a' ? 'add' : 'remove',
      key: Number(key),
    })),
  )
}

/** What interleavings of whole calls return. */
export function admittedOutcomes(client: Client): ReadonlySet<string> {
  const outcomes = new Set<string>()
  const go = (done: readonly (readonly boolean[])[], keys: ReadonlySet<number>): void => {
    let isEnd = true
    for (const [process, operations] of client.entries()) {
      const operation = operations[done[process]?.length ?? 0]
      if (operation === undefined) continue
      isEnd = false
      const { name, key } = operation
      const after = new Set(keys)
      const result = name === 'add' ? !after.has(key) : after.delete(key)
      if (name === 'add') after.add(key)
      go(
        done.map((results, i) => (i === process ? [...results, result] : results)),
        after,
      )
    }
    if (isEnd) outcomes.add(JSON.stringify(done))
  }
  go(
    client.map(() => []),
    new Set(),
  )
  return outcomes
}

export interface ClientExecution {
  readonly execution: RecordedExecution
  readonly outcome: string
}

/** One execution at random; `shrunk` names the methods whose atomic sections are shrunk, as 'a', 'r' or 'ar'. */
export function runClient(random: Random, list: ListName, shrunk: string, client: Client): ClientExecution {
  const memory = new Memory()
  const call = list === 'RW' ? coarse : optimistic
  const processes = client.map((operations) => new ListProcess(operations.map((each) => call(memory, each, shrunk))))
  const accesses: RecordedAccess[] = []
  const loyalty = random.below(10)
  let last: ListProcess | undefined
  for (;;) {
    const enabled = processes.filter((process) => process.isEnabled())
    if (enabled.length === 0) break
    if (last === undefined || !enabled.includes(last) || random.below(10) >= loyalty) last = random.pick(enabled)
    const process = processes.indexOf(last)
    accesses.push({ process, call: process * 10 + last.results.length, ...last.step() })
  }
  return { execution: { accesses }, outcome: JSON.stringify(processes.map(({ results }) => results)) }
}

type Access = Omit<RecordedAccess, 'process' | 'call'>
type Stop = { readonly access: Access; readonly blocked?: () => boolean; readonly act: () => Element | undefined }
type ListCall = Generator<Stop, boolean, Element>

class ListProcess {
  readonly results: boolean[] = []
  readonly #calls: ListCall[]
  #next: Stop | undefined

  constructor(calls: readonly ListCall[]) {
    this.#calls = [...calls]
    this.#advance()
  }

  isEnabled(): boolean {
    return this.#next !== undefined && this.#next.blocked?.() !== true
  }

  step(): Access {
    const { access, act } = this.#next as Stop
    this.#advance(act())
    return access
  }

  #advance(answer?: Element): void {
    this.#next = undefined
    for (let call = this.#calls[0]; call !== undefined; call = this.#calls[0]) {
      const { done, value } = call.next(answer as Element)
      if (!done) {
        this.#next = value
        return
      }
      this.results.push(value)
      this.#calls.shift()
    }
  }
}

class Element {
  readonly key: number
  readonly id: number
  next: Element | undefined
  locked = false

  constructor(key: number, id: number, next?: Element) {
    this.key = key
    this.id = id
    this.next = next
  }
}

class Memory {
  #count = 0
  readonly tail = this.make(Number.POSITIVE_INFINITY)
  readonly head = this.make(Number.NEGATIVE_INFINITY, this.tail)

  make(key: number, next?: Element): Element {
    return new Element(key, this.#count++, next)
  }
}

const file = 'list.java'
const range = (first: number, last: number) => ({ first, last })
const coarseCode = {
  add: { file, name: 'add', lines: range(23, 41), loops: [range(28, 31)] },
  remove: { file, name: 'remove', lines: range(44, 61), loops: [range(49, 52)] },
}
const optimisticCode = {
  add: { file, name: 'add', lines: range(40, 65), loops: [range(41, 64), range(44, 47)] },
  remove: { file, name: 'remove', lines: range(67, 91), loops: [range(68, 90), range(71, 74)] },
}
const validateCode = { file, name: 'validate', lines: range(20, 35), loops: [range(22, 30)] }

/** One lock for the whole list, here that of its head; shrunk, it is taken after the walk. */
function* coarse(memory: Memory, { name, key }: Operation, shrunk: string): ListCall {
  const at = (line: number, column = 1) => siteIn(coarseCode[name], line, column)
  const lines = name === 'add' ? [24, 27, 30, 32, 35, 39] : [45, 48, 51, 53, 54, 60]
  const [lockLine, startLine, walkLine, lateLockLine, writeLine, unlockLine] = lines as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const isShrunk = shrunk.includes(name.charAt(0))
  if (!isShrunk) yield lock(at(lockLine), memory.head)
  let before = memory.head
  let current = yield read(at(startLine), before)
  while (current.key < key) {
    before = current
    current = yield read(at(walkLine), before)
  }
  if (isShrunk) yield lock(at(lateLockLine), memory.head)
  const result = yield* update(memory, { name, key }, before, current, (column) => at(writeLine, column))
  yield unlock(at(unlockLine), memory.head)
  return result
}

/** Locks two elements and validates them; shrunk, it validates first. */
function* optimistic(memory: Memory, { name, key }: Operation, shrunk: string): ListCall {
  const at = (line: number, column = 1) => siteIn(optimisticCode[name], line, column)
  const lines = name === 'add' ? [43, 46, 48, 51, 56, 61] : [70, 73, 75, 78, 80, 87]
  const [startLine, walkLine, lockLine, validateLine, writeLine, unlockLine] = lines as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const isShrunk = shrunk.includes(name.charAt(0))
  for (;;) {
    let before = memory.head
    let current = yield read(at(startLine), before)
    while (current.key < key) {
      before = current
      current = yield read(at(walkLine), before)
    }
    if (isShrunk && !(yield* validate(memory, before, current, at(validateLine)))) continue
    yield lock(at(isShrunk ? validateLine + 1 : lockLine), before)
    yield lock(at(isShrunk ? validateLine + 1 : lockLine + 1, 2), current)
    const isValid = isShrunk || (yield* validate(memory, before, current, at(validateLine)))
    const result = isValid && (yield* update(memory, { name, key }, before, current, (column) => at(writeLine, column)))
    yield unlock(at(unlockLine), before)
    yield unlock(at(unlockLine + 1), current)
    if (isValid) return result
  }
}

function* validate(memory: Memory, before: Element, current: Element, caller: CodeSite): ListCall {
  let element = memory.head
  while (element.key <= before.key) {
    const next: Element = yield read(siteIn(validateCode, element === before ? 24 : 27, 1), element, [caller])
    if (element === before) return next === current
    element = next
  }
  return false
}

function* update(
  memory: Memory,
  { name, key }: Operation,
  before: Element,
  current: Element,
  at: (column: number) => CodeSite,
): ListCall {
  if ((current.key === key) === (name === 'add')) return false
  const next = name === 'add' ? memory.make(key, current) : yield read(at(2), current)
  yield {
    access: { site: at(1), object: before.id, part: 0, mode: 'write', isLock: false },
    act: () => {
      before.next = next
      return undefined
    },
  }
  return true
}

function siteIn(where: CodeFunction, line: number, column: number): CodeSite {
  return { function: where, line, column }
}

function read(site: CodeSite, element: Element, callers?: readonly CodeSite[]): Stop {
  return {
    access: { site, callers, object: element.id, part: 0, mode: 'read', isLock: false },
    act: () => element.next,
  }
}

function lock(site: CodeSite, element: Element): Stop {
  return { ...setLock(site, element, true), blocked: () => element.locked }
}

function unlock(site: CodeSite, element: Element): Stop {
  return setLock(site, element, false)
}

function setLock(site: CodeSite, element: Element, locked: boolean): Stop {
  return {
    access: { site, object: element.id, part: 1, mode: 'write', isLock: true },
    act: () => {
      element.locked = locked
      return undefined
    },
  }
}
