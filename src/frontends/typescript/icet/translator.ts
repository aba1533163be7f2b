/**
 * The state of translating one process: the block that is being written, the loops around it, and where jumps go.
 *
 * ICET knows `break` and `continue` of `while`, and `end` of the process. Other jumps forward (an early `return` of a function
 * that was called with `yield*`, `continue` in a `for…of`, `break` in a `switch`) are expressed by nesting: what follows an `if`
 * with such a jump moves into the branch that goes on. Brisk §5.1 gets this for free, since Haskell has no early exit.
 */
import type { Node } from 'oxc-parser'
import type { Place } from '../../../core/diagnostic.ts'
import type { Count, Expression, Statement, StatementKind, StatementOf } from '../../../program/icet.ts'
import type { FunctionLike } from '../syntax.ts'
import type { Frame, Meaning, MeaningOf } from './meaning.ts'
import type { Modules } from './modules.ts'
import { type Complaint, loopLeftEarly, outside, Refusal } from './refusal.ts'
import { ifThen } from './terms.ts'

/** What all processes of a program share. */
export interface ProgramState {
  readonly modules: Modules
  readonly processes: ProcessState[]
  readonly parameters: ReadonlySet<string>
  /** Bodies of processes that are being translated, each inside the one before. */
  readonly spawning: FunctionLike[]
  report(refusal: unknown): void
}

export interface ProcessState {
  readonly name: string
  readonly count: Count | undefined
  readonly daemon: boolean
  readonly place: Place
  readonly body: Statement[]
  /** Names of variables in use. */
  readonly taken: Set<string>
  /** Variables that are assigned more than once. */
  readonly mutable: Set<string>
  /** Variables whose objects are changed in place. */
  readonly changed: Set<string>
  /** Variables that hold whole messages. */
  readonly messages: Set<string>
  /** Variables that the source has a name for. */
  readonly named: Set<string>
}

/** Where a value should be stored if it needs a variable at all. */
export interface Target {
  readonly hint: string
  /** An existing variable. */
  readonly variable?: string | undefined
}

export interface LoopAround {
  readonly kind: 'while' | 'each' | 'repeat'
  /** As the user wrote it. */
  readonly words: string
  /** Leaving the loop is leaving the function: nothing comes after it. */
  readonly endsFunction: boolean
  /** Something in it leaves it. */
  isLeft: boolean
  /** Something in it leaves it in order to leave the function. */
  returns: boolean
}

/** The end of a part of the source that code inside it may jump to. */
interface Boundary {
  readonly loops: number
  readonly statement: 'return' | 'break' | 'continue'
}

interface Fall {
  readonly boundary: Boundary
  readonly block: Statement[]
  readonly node: Node
}

export type Jump =
  | { readonly kind: 'end' }
  | { readonly kind: 'fall'; readonly boundary: Boundary }
  | { readonly kind: 'loop'; readonly loop: LoopAround; readonly how: 'break' | 'continue' }

/** A function in the middle of its body. */
export interface Activation {
  readonly node: FunctionLike
  readonly outer: Activation | undefined
  readonly returnTo: Jump
  /** Where the returned value goes; undefined: the caller does not use it. */
  readonly result: string | undefined
  /** Statements after which the function is over. */
  readonly tails: ReadonlySet<Node>
  /** If it calls itself in the end: its loop, and the variables of parameters that change. */
  readonly recursion: { readonly loop: LoopAround; readonly parameters: readonly (string | undefined)[] } | undefined
}

type Call = Extract<Node, { type: 'CallExpression' }>

/** The parts of the translation that need each other. */
export interface Parts {
  value(translator: Translator, node: Node, target: Target | undefined): Meaning
  block(translator: Translator, nodes: readonly Node[]): void
  call(translator: Translator, callee: Meaning, node: Call, target: Target | undefined, isUsed: boolean): Meaning
  inlined(translator: Translator, body: MeaningOf<'function'>, node: Node, args: readonly Meaning[]): void
  process(
    spawner: Translator,
    process: ProcessState,
    body: MeaningOf<'function'>,
    node: Call,
    args: readonly { readonly node: Node; readonly meaning: Meaning }[],
  ): void
}

type Reach = 'open' | 'closed' | { readonly ambiguous: Node }

export class Translator {
  readonly program: ProgramState
  readonly process: ProcessState
  readonly parts: Parts
  frame: Frame
  /** The block that statements are added to. Replaced while the inside of a condition or loop is translated. */
  out: Statement[]
  activation: Activation | undefined
  breakTo: Jump | undefined
  continueTo: Jump | undefined
  /** How many conditions and loops are around. */
  depth = 0
  readonly loops: LoopAround[] = []
  /** Whether the end of `out` can be reached; ambiguous if several branches reach it and another one has jumped past it. */
  #reach: Reach = 'open'
  /** Jumps forward whose boundary has not been met. What follows them belongs into the branch that did not jump. */
  #falls: Fall[] = []

  constructor(program: ProgramState, process: ProcessState, parts: Parts, frame: Frame) {
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
    if (typeof this.#reach === 'object') this.#refuseAmbiguous(this.#reach.ambiguous)
    this.out.push({ id: 0, place: this.place(node), ...statement } as unknown as Statement)
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
    this.#goOn(
      out,
      ends.filter(({ reach }) => reach !== 'closed'),
      fallen,
    )
  }

  /** Code in `write` may jump to its end. */
  bounded(statement: Boundary['statement'], write: (boundary: Boundary) => void): void {
    const boundary: Boundary = { loops: this.loops.length, statement }
    const { out } = this
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
    this.#goOn(out, ends, further)
  }

  loop(
    around: Pick<LoopAround, 'kind' | 'words' | 'endsFunction'>,
    node: Node,
    statement: (body: Statement[]) => Omit<Statement, 'id' | 'place'>,
    write: (loop: LoopAround) => void,
  ): LoopAround {
    const body: Statement[] = []
    this.emit(node, statement(body) as never)
    const loop: LoopAround = { ...around, isLeft: false, returns: false }
    const { out, depth } = this
    this.loops.push(loop)
    this.out = body
    this.depth++
    write(loop)
    this.loops.pop()
    this.depth = depth
    this.out = out
    this.#reach = loop.kind === 'while' && !loop.isLeft ? 'closed' : 'open'
    const returnTo = this.activation?.returnTo
    if (loop.returns && returnTo !== undefined) this.jump(returnTo, node, 'return')
    return loop
  }

  jump(to: Jump, node: Node, words: string): void {
    const counted = this.loops.findLast(({ kind }) => kind !== 'while')
    switch (to.kind) {
      case 'end':
        if (counted !== undefined) this.refuse(node, loopLeftEarly(words, counted.words))
        this.emit<'end'>(node, { kind: 'end' })
        break
      case 'loop':
        if (to.loop.kind !== 'while') this.refuse(node, loopLeftEarly(words, to.loop.words))
        if (this.loops.at(-1) !== to.loop) this.#refuseFar(node, words)
        this.emit(node, { kind: to.how } as never)
        if (to.how === 'break') to.loop.isLeft = true
        break
      case 'fall':
        this.#fall(to.boundary, node, words)
    }
    this.#reach = 'closed'
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

  #fall(boundary: Boundary, node: Node, words: string): void {
    const inside = this.loops.slice(boundary.loops)
    const [loop] = inside
    if (loop === undefined) {
      this.#falls.push({ boundary, block: this.out, node })
      return
    }
    if (inside.length > 1 || loop.kind !== 'while' || !loop.endsFunction) this.#refuseFar(node, words)
    this.emit<'break'>(node, { kind: 'break' })
    loop.isLeft = true
    loop.returns = true
  }

  #refuseFar(node: Node, words: string): never {
    const loop = this.loops.findLast(({ kind }) => kind !== 'while')
    if (loop !== undefined) this.refuse(node, loopLeftEarly(words, loop.words))
    const hint = 'leave the loop with break and decide after it what follows, with if (…) { … } else { … }'
    return this.refuse(node, outside(`"${words}" out of a loop that more follows`, hint))
  }

  #refuseAmbiguous(node: Node): never {
    const hint = 'write if (…) { … } else { … } so that only one branch goes on with what follows'
    return this.refuse(node, outside('leaving early where several branches go on', hint))
  }

  /** Chooses the block for what follows. */
  #goOn(
    out: Statement[],
    ends: readonly { readonly out: Statement[]; readonly reach: Reach }[],
    fallen: readonly Fall[],
  ): void {
    const [end] = ends
    const [fall] = fallen
    if (end === undefined) {
      this.out = out
      this.#reach = 'closed'
    } else if (fall === undefined) {
      this.out = out
      this.#reach = 'open'
    } else if (ends.length === 1) {
      this.out = end.out
      this.#reach = end.reach
    } else {
      this.out = out
      this.#reach = { ambiguous: fall.node }
    }
  }
}

/** The value as an expression of the term, if it is one. */
export function isSimple({ kind }: Expression): boolean {
  return kind === 'literal' || kind === 'parameter' || kind === 'process' || kind === 'self'
}

/** Runs with other names and puts back the old ones. */
export function inFrame<T>(translator: Translator, frame: Frame, run: () => T): T {
  const outer = translator.frame
  translator.frame = frame
  try {
    return run()
  } finally {
    translator.frame = outer
  }
}
