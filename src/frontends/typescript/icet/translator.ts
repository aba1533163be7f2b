/**
 * The state of translating one process: the block that is being written, the loops around it, and where jumps go.
 *
 * ICET knows `break` and `continue` of `while`, and `end` of the process. Other jumps forward (an early `return` of a function
 * that was called with `yield*`, `continue` in a `for…of`, `break` in a `switch`) are expressed by nesting: what follows an `if`
 * with such a jump moves into the branch that goes on. Where several branches go on, or a loop is left that ICET has no `break`
 * for, a variable says that the jump has happened. Brisk §5.1 gets this for free, since Haskell has no early exit.
 */
import type { Node } from 'oxc-parser'
import type { Place } from '../../../core/diagnostic.ts'
import { invariant } from '../../../core/invariant.ts'
import type { Expression, Statement, StatementKind, StatementOf } from '../../../program/icet.ts'
import type { Binding } from '../access/bindings.ts'
import { type Activation, type Boundary, type Fall, isDirect, isSameJump, type Jump, type LoopAround } from './jumps.ts'
import type { Meaning, MeaningOf, NameFrame } from './meaning.ts'
import type { ProcessState, ProgramState } from './process-state.ts'
import { type Complaint, Refusal } from './refusal.ts'
import { ifThen } from './terms.ts'

/** Where a value should be stored if it needs a variable at all. */
export interface Target {
  readonly hint: string
  /** An existing variable. */
  readonly variable?: string | undefined
}

/** What becomes of the value of a call. */
export interface Wanted {
  readonly target?: Target | undefined
  readonly isUsed: boolean
}

export const unused: Wanted = { isUsed: false }

type Call = Extract<Node, { type: 'CallExpression' }>

/** A function of the user's that is called, with what its parameters mean. */
export interface Calling {
  readonly callee: MeaningOf<'function'>
  /** The call, or what stands for it. */
  readonly node: Node
  readonly args: readonly Meaning[]
}

/** A process that is begun: those of the arguments without a meaning are evaluated by the process itself. */
interface Beginning {
  readonly body: MeaningOf<'function'>
  readonly node: Call
  readonly args: readonly { readonly node: Node; readonly meaning: Meaning | undefined }[]
}

/** The parts of the translation that need each other. */
export interface Parts {
  value(translator: Translator, node: Node, target: Target | undefined): Meaning
  block(translator: Translator, nodes: readonly Node[]): void
  call(translator: Translator, callee: Meaning, node: Call, wanted: Wanted): Meaning
  inlined(translator: Translator, calling: Calling): void
  process(spawner: Translator, process: ProcessState, beginning: Beginning): void
}

/** The end of a block that some branches reach and others have jumped past. */
interface Ambiguous {
  readonly falls: readonly Fall[]
  /** In the block: before all of the jumps. */
  readonly from: number
}

/** A loop as it stands in the term. */
interface Written {
  readonly body: Statement[]
  /** Its place in the block around. */
  readonly from: number
}

type Reach = 'open' | 'closed' | Ambiguous

export class Translator {
  readonly program: ProgramState
  readonly process: ProcessState
  readonly parts: Parts
  frame: NameFrame
  /** The block that statements are added to. Replaced while the inside of a condition or loop is translated. */
  out: Statement[]
  activation: Activation | undefined
  breakTo: Jump | undefined
  continueTo: Jump | undefined
  /** How many conditions and loops are around. */
  depth = 0
  readonly loops: LoopAround[] = []
  /** By index variable: the member of the round. */
  readonly indexed = new Map<Binding, { readonly set: string; readonly member: Meaning }>()
  /** Whether the end of `out` can be reached; ambiguous if several branches reach it and another one has jumped past it. */
  #reach: Reach = 'open'
  /** Jumps forward whose boundary has not been met. What follows them belongs into the branch that did not jump. */
  #falls: Fall[] = []

  constructor(program: ProgramState, process: ProcessState, parts: Parts, frame: NameFrame) {
    this.program = program
    this.process = process
    this.parts = parts
    this.frame = frame
    this.out = process.body
  }

  get isOpen(): boolean {
    return this.#reach !== 'closed'
  }

  value(node: Node, target?: Target): Meaning {
    return this.parts.value(this, node, target)
  }

  place(node: { readonly start: number }): Place {
    return this.frame.module.place(node)
  }

  refuse(node: { readonly start: number }, { code, message, hint }: Complaint): never {
    throw new Refusal({ code, message, hint, place: this.place(node) })
  }

  emit<K extends StatementKind>(
    node: Node,
    statement: Omit<StatementOf<K>, 'id' | 'place'> & { readonly kind: K },
  ): void {
    this.goOn()
    this.out.push({ id: 0, place: this.place(node), ...statement } as unknown as Statement)
  }

  /** Before more is written: only those go on who have not jumped past it. */
  goOn(): void {
    if (typeof this.#reach !== 'object') return
    const { falls, from } = this.#reach
    const flag = this.#flag()
    const at = { id: 0, place: this.place(falls[0]?.node ?? { start: 0 }) }
    const assigned = (value: boolean): Statement => {
      return { ...at, kind: 'assign', variable: flag, value: { kind: 'literal', value } }
    }
    this.out.splice(from, 0, assigned(false))
    for (const { block } of falls) block.push(assigned(true))
    const rest: Statement[] = []
    this.out.push(ifThen(at, { kind: 'not', of: { kind: 'variable', name: flag } }, rest, []))
    this.out = rest
    this.#reach = 'open'
  }

  #flag(): string {
    const flag = this.fresh('left')
    this.process.mutable.add(flag)
    this.process.named.add(flag)
    return flag
  }

  /** A name no other variable of the process has. */
  fresh(hint: string): string {
    let name = hint
    for (let number = 2; this.process.taken.has(name); number++) name = `${hint}${number}`
    this.process.taken.add(name)
    return name
  }

  /** The variable for a new value. */
  variableFor(target: Target | undefined, otherwise: string): string {
    return target?.variable ?? this.fresh(target?.hint ?? otherwise)
  }

  assign(node: Node, variable: string, value: Expression): void {
    if (value.kind === 'variable' && value.name === variable) return
    this.emit<'assign'>(node, { kind: 'assign', variable, value })
  }

  branch(node: Node, condition: Expression, then: () => void, otherwise: () => void): void {
    const blocks: [Statement[], Statement[]] = [[], []]
    this.emit<'if'>(node, ifThen({ id: 0, place: this.place(node) }, condition, blocks[0], blocks[1]))
    const { out, depth } = this
    const from = out.length - 1
    const falls = this.#falls
    this.depth++
    const ends = [then, otherwise].map((write, index) => {
      this.out = blocks[index] as Statement[]
      this.#reach = 'open'
      this.#falls = []
      write()
      return { out: this.out, reach: this.#reach as Reach, falls: this.#falls }
    })
    this.depth = depth
    const fallen = ends.flatMap((end) => end.falls)
    this.#falls = [...falls, ...fallen]
    const open = ends.filter(({ reach }) => reach !== 'closed')
    this.#follow(out, from, open, fallen)
  }

  /** Code in `write` may jump to its end. */
  bounded(write: (boundary: Boundary) => void): void {
    const boundary: Boundary = { loops: this.loops.length }
    this.goOn()
    const { out } = this
    const from = out.length
    const falls = this.#falls
    this.#falls = []
    write(boundary)
    const here = this.#falls.filter((fall) => fall.boundary === boundary)
    const further = this.#falls.filter((fall) => fall.boundary !== boundary)
    this.#falls = [...falls, ...further]
    const ends: { readonly out: Statement[]; readonly reach: Reach }[] = here.map(({ block }) => ({
      out: block,
      reach: 'open',
    }))
    if (this.#reach !== 'closed') ends.push({ out: this.out, reach: this.#reach })
    this.#follow(out, from, ends, further)
  }

  loop(
    around: Pick<LoopAround, 'kind' | 'endsFunction'>,
    node: Node,
    statement: (body: Statement[]) => Omit<Statement, 'id' | 'place'>,
    write: (loop: LoopAround) => void,
  ): LoopAround {
    const body: Statement[] = []
    this.emit(node, statement(body) as never)
    const loop: LoopAround = { ...around, isLeft: false, returns: false, round: undefined, exits: [] }
    const { out, depth } = this
    const from = out.length - 1
    this.loops.push(loop)
    this.out = body
    this.depth++
    write(loop)
    this.loops.pop()
    this.depth = depth
    this.out = out
    this.#reach = loop.kind === 'while' && !loop.isLeft ? 'closed' : 'open'
    const returnTo = this.activation?.returnTo
    if (loop.returns && returnTo !== undefined) this.jump(returnTo, node)
    if (loop.exits.length > 0) this.#leaveBy(loop, node, { body, from })
    return loop
  }

  /** After a loop with exits: rounds do something only as long as it is not left, and the jumps go on behind it. */
  #leaveBy({ kind, isLeft, exits }: LoopAround, node: Node, { body, from }: Written): void {
    const at = { id: 0, place: this.place(node) }
    const flags = exits.map(({ flag }): Expression => ({ kind: 'variable', name: flag }))
    const isFalse: Expression = { kind: 'literal', value: false }
    this.out.splice(
      from,
      0,
      ...exits.map(({ flag }) => ({ ...at, kind: 'assign', variable: flag, value: isFalse }) as const),
    )
    if (kind !== 'while') {
      const of = flags.reduce((left, right) => ({ kind: 'binary', operator: '||', left, right }))
      body.splice(0, body.length, ifThen(at, { kind: 'not', of }, [...body], []))
    }
    const further = exits.flatMap(({ flag, to }) => (to === undefined ? [] : [{ flag, to }]))
    this.#reach = 'open'
    for (const [index, { flag, to }] of further.entries()) {
      const go = (): void => this.jump(to, node)
      // A loop for ever that nothing else leaves is left so.
      const isOnly = kind === 'while' && !isLeft && index === further.length - 1
      if (isOnly) go()
      else this.branch(node, { kind: 'variable', name: flag }, go, () => undefined)
    }
  }

  jump(to: Jump, node: Node): void {
    if (!isDirect(to, this.loops)) this.#leave(to, node)
    else if (to.kind === 'end') this.emit<'end'>(node, { kind: 'end' })
    else if (to.kind === 'fall') this.#fall(to.boundary, node)
    else {
      this.emit(node, { kind: to.how } as never)
      if (to.how === 'break') to.loop.isLeft = true
    }
    this.#reach = 'closed'
  }

  /** Out of the innermost loop, on the way to somewhere else. */
  #leave(to: Jump, node: Node): void {
    const loop = this.loops.at(-1)
    invariant(
      loop !== undefined && (loop.kind === 'while' || loop.round !== undefined),
      'a function ends no loop of its caller',
    )
    const behind = to.kind === 'loop' && to.loop === loop ? undefined : to
    const known = loop.exits.find((exit) => isSameJump(exit.to, behind))
    const exit = known ?? { flag: this.#flag(), to: behind }
    if (known === undefined) loop.exits.push(exit)
    this.assign(node, exit.flag, { kind: 'literal', value: true })
    if (loop.round === undefined) this.emit<'break'>(node, { kind: 'break' })
    else this.#falls.push({ boundary: loop.round, block: this.out, node })
  }

  fail(node: Node, message: string): void {
    this.emit<'fail'>(node, { kind: 'fail', message })
    this.#reach = 'closed'
  }

  /** `break` and `continue` mean these while it runs. */
  withJumps(breakTo: Jump | undefined, continueTo: Jump | undefined, run: () => void): void {
    const outer = [this.breakTo, this.continueTo] as const
    this.breakTo = breakTo
    this.continueTo = continueTo
    run()
    this.breakTo = outer[0]
    this.continueTo = outer[1]
  }

  /** Runs, and if that is refused, goes on as if it had not begun. */
  attempt(run: () => void, refused: (refusal: Refusal) => void): void {
    const restore = this.#snapshot()
    try {
      run()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      restore()
      refused(error)
    }
  }

  /** Whether this would write statements; what it writes is forgotten. */
  writes(run: () => void): boolean {
    const restore = this.#snapshot()
    const { taken, mutable, changed, messages, named } = this.process
    const sets = [taken, mutable, changed, messages, named].map((set) => [set, new Set(set)] as const)
    const { processes } = this.program
    const known = processes.length
    const probe: Statement[] = []
    this.out = probe
    this.#reach = 'open'
    try {
      run()
      return probe.length > 0
    } finally {
      restore()
      processes.length = known
      for (const [set, before] of sets) for (const name of set) if (!before.has(name)) set.delete(name)
    }
  }

  #snapshot(): () => void {
    const { out, depth, frame, activation, breakTo, continueTo } = this
    const reach = this.#reach
    const falls = this.#falls
    const loops = this.loops.length
    return () => {
      Object.assign(this, { out, depth, frame, activation, breakTo, continueTo })
      this.#reach = reach
      this.#falls = falls
      this.loops.length = loops
    }
  }

  #fall(boundary: Boundary, node: Node): void {
    const loop = this.loops[boundary.loops]
    if (loop === undefined) {
      const reach = this.#reach
      if (typeof reach === 'object' && reach.falls.some((fall) => fall.boundary !== boundary)) this.goOn()
      this.#falls.push({ boundary, block: this.out, node })
      return
    }
    this.emit<'break'>(node, { kind: 'break' })
    loop.isLeft = true
    loop.returns = true
  }

  /** Chooses the block for what follows. */
  #follow(
    out: Statement[],
    from: number,
    ends: readonly { readonly out: Statement[]; readonly reach: Reach }[],
    fallen: readonly Fall[],
  ): void {
    const [end] = ends
    if (end === undefined) {
      this.out = out
      this.#reach = 'closed'
    } else if (fallen.length === 0) {
      this.out = out
      this.#reach = 'open'
    } else if (ends.length === 1) {
      this.out = end.out
      this.#reach = end.reach
    } else {
      this.out = out
      this.#reach = { falls: fallen, from }
    }
  }
}

/** The value as an expression of the term, if it is one. */
export function isSimple({ kind }: Expression): boolean {
  return kind === 'literal' || kind === 'parameter' || kind === 'process' || kind === 'self'
}

/** Runs with other names and puts back the old ones. */
export function inFrame<T>(translator: Translator, frame: NameFrame, run: () => T): T {
  const outer = translator.frame
  translator.frame = frame
  try {
    return run()
  } finally {
    translator.frame = outer
  }
}
