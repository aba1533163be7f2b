/**
 * One function as JavaScript over packed values. One that cannot choose is a function of its parameters. One that may choose goes on by itself until
 * the whole handler is over, once for each option: it is given all its locals, where to begin, and what follows when it returns.
 */
import type { IrBlock, IrEnd, IrFunction, IrInstruction } from '../../../ir/ir.ts'
import { successorsOf } from '../../../ir/visit.ts'
import type { Abilities } from './abilities.ts'
import type { ExpressionSource } from './expression-source.ts'
import { LiveLocals } from './live-locals.ts'
import { packedNull } from './packed-values.ts'

/** What a function returns that has left the whole handler: no value is an even number below 0. */
const hasLeft = -2

/** Blocks that only one other leads to are written in its place, up to so many inside of each other. */
const deepest = 40

export interface Generating {
  readonly functions: readonly IrFunction[]
  readonly abilities: readonly Abilities[]
  readonly expressions: ExpressionSource
  /** Whether others come before each send. */
  readonly interleaves: boolean
  /** Whether it is recorded: then it ends where it chooses. */
  readonly records: boolean
  /** Choices of the program, by number. */
  readonly choiceSites: ChoiceSite[]
  /** By number: what the types of targets permit. */
  readonly permitted: (readonly number[] | undefined)[]
}

/** Names a choice, and the point from which a handler goes on. */
export interface ChoiceSite {
  readonly function: number
  readonly block: number
  readonly at: number
  readonly isFair: boolean
}

/** Where code may go on from; `into` is the local that a value goes to first. */
interface Point {
  readonly block: number
  readonly at: number
  readonly into: number | undefined
}

export class FunctionSource {
  readonly #index: number
  readonly #declared: IrFunction
  readonly #generating: Generating
  readonly #forks: boolean
  readonly #predecessors: readonly number[]
  /** By number; those at the end are still to be written. */
  readonly #points: Point[] = [{ block: 0, at: 0, into: undefined }]
  readonly #pointOfBlock = new Map<number, number>([[0, 0]])
  #live: LiveLocals | undefined

  constructor(index: number, generating: Generating) {
    this.#index = index
    this.#generating = generating
    this.#declared = generating.functions[index] as IrFunction
    this.#forks = generating.abilities[index]?.forks === true
    this.#predecessors = predecessorsOf(this.#declared.blocks)
  }

  /** Declares the function, and how it is called with a payload and gone back to. */
  text(): string {
    const cases: string[] = []
    for (let at = 0; at < this.#points.length; at++) {
      const { block, at: from, into } = this.#points[at] as Point
      const first = into === undefined ? '' : `l${into} = v; `
      cases.push(`case ${at}: ${first}${this.#from(block, from, 0)}`)
    }
    const body = `for (;;) switch (s) { ${cases.join('\n')} }`
    return this.#forks ? this.#forking(body) : this.#plain(body)
  }

  #forking(body: string): string {
    const index = this.#index
    const locals = this.#locals()
    const revived = this.#declared.locals.map((_, at) => `k.l[${at}]`)
    return [
      `function g${index}(${['s', 'k', 'v', ...locals].join()}) { if (s === 0 && ++n > most) R.leave(); ${body} }`,
      `H[${index}] = (p) => g${index}(${['0', 'null', '0', ...this.#arguments(['p'])].join()});`,
      `B[${index}] = (k, v) => g${index}(${['k.s', 'k.k', 'v', ...revived].join()});`,
    ].join('\n')
  }

  #plain(body: string): string {
    const index = this.#index
    const locals = this.#locals()
    const { params } = this.#declared
    const others = this.#arguments([]).slice(params)
    const own = others.map((value, at) => `l${params + at} = ${value}`)
    const declared = `let ${['s = 0', ...own].join()};`
    const passed = this.#arguments(['p']).slice(0, params)
    return [
      `function f${index}(${locals.slice(0, params).join()}) { ${declared} if (++n > most) R.leave(); ${body} }`,
      `H[${index}] = (p) => f${index}(${passed.join()});`,
    ].join('\n')
  }

  #locals(): readonly string[] {
    return this.#declared.locals.map((_, at) => `l${at}`)
  }

  /** Arguments beyond the parameters are dropped, parameters without one are null; the other locals have their defaults. */
  #arguments(given: readonly string[], of: IrFunction = this.#declared): readonly string[] {
    return of.locals.map(({ type }, at) => {
      if (at < of.params) return given[at] ?? `${packedNull}`
      return `${this.#generating.expressions.defaultOf(type)}`
    })
  }

  #from(block: number, at: number, depth: number): string {
    const { instructions, end } = this.#declared.blocks[block] as IrBlock
    const lines: string[] = []
    for (let next = at; next < instructions.length; next++) {
      const instruction = instructions[next] as IrInstruction
      const { text, isLast } = this.#instruction(instruction, { block, at: next })
      lines.push(text)
      if (isLast) return lines.join(' ')
    }
    return [...lines, this.#end(end, depth)].join(' ')
  }

  #instruction(
    instruction: IrInstruction,
    where: Pick<Point, 'block' | 'at'>,
  ): { readonly text: string; readonly isLast: boolean } {
    const { expressions } = this.#generating
    const isForking = instruction.kind === 'call' && this.#generating.abilities[instruction.function]?.forks === true
    if (instruction.kind === 'choose') return { text: this.#choice(instruction, where), isLast: true }
    if (isForking) return { text: this.#forkingCall(instruction, where), isLast: true }
    const simply = (text: string) => ({ text, isLast: false })
    switch (instruction.kind) {
      case 'setLocal':
        return simply(`l${instruction.local} = ${expressions.value(instruction.value)};`)
      case 'setField':
        return simply(`D[${instruction.field}] = ${expressions.value(instruction.value)};`)
      case 'print':
        return simply(`${expressions.unseen(instruction.message)};`)
      case 'call':
        return simply(this.#call(instruction))
      case 'announce':
        return simply(`R.announce(${this.#event(instruction.event)}, ${this.#orNull(instruction.payload)});`)
      case 'send':
        return this.#generating.interleaves ? { text: 'R.leave();', isLast: true } : simply(this.#send(instruction))
      case 'new': {
        if (this.#generating.interleaves) return { text: 'R.leave();', isLast: true }
        const created = `R.create(${where.block}, ${where.at}, ${this.#index}, ${this.#orNull(instruction.payload)});`
        return simply(instruction.into === undefined ? created : `l${instruction.into} = ${created}`)
      }
      case 'foreign':
        return { text: 'R.leave();', isLast: true }
    }
  }

  #orNull(expression: Parameters<ExpressionSource['value']>[0] | undefined): string {
    return expression === undefined ? `${packedNull}` : this.#generating.expressions.value(expression)
  }

  /** The number of an event. */
  #event(expression: Parameters<ExpressionSource['value']>[0]): string {
    if (expression.kind === 'constant' && expression.value.kind === 'event') return `${expression.value.event}`
    return `R.eventOf(${this.#generating.expressions.value(expression)})`
  }

  #send({ to, event, payload }: Extract<IrInstruction, { readonly kind: 'send' }>): string {
    const permitted = to.type.kind === 'machine' ? to.type.receives : undefined
    const site = this.#generating.permitted.push(permitted) - 1
    const target = this.#generating.expressions.value(to)
    // What a send counts for, as in the reference semantics.
    return `n += 10; R.send(${site}, ${target}, ${this.#event(event)}, ${this.#orNull(payload)});`
  }

  #call(instruction: Extract<IrInstruction, { readonly kind: 'call' }>): string {
    const { function: index, into } = instruction
    const { params } = this.#generating.functions[index] as IrFunction
    const given = instruction.args.map((arg) => this.#generating.expressions.value(arg))
    // Arguments that are dropped are evaluated all the same.
    const passed = Array.from({ length: Math.max(params, given.length) }, (_, at) => given[at] ?? `${packedNull}`)
    const called = `f${index}(${passed.join(', ')})`
    const kept = into === undefined ? '' : `l${into} = t;`
    if (this.#generating.abilities[index]?.leaves !== true)
      return into === undefined ? `${called};` : `l${into} = ${called};`
    return `{ const t = ${called}; if (t === ${hasLeft}) ${this.#left()} ${kept} }`
  }

  /** A function that it called has left the handler. */
  #left(): string {
    return this.#forks ? 'return R.goOn();' : `return ${hasLeft};`
  }

  #forkingCall(instruction: IrInstruction, { block, at }: Pick<Point, 'block' | 'at'>): string {
    const { function: index, into, args } = instruction as Extract<IrInstruction, { readonly kind: 'call' }>
    const point = this.#points.push({ block, at: at + 1, into }) - 1
    const given = args.map((arg) => this.#generating.expressions.value(arg))
    const passed = this.#arguments(given, this.#generating.functions[index])
    const frame = this.#frame(point, { block, at: at + 1, into })
    return `return g${index}(${['0', frame, '0', ...passed].join()});`
  }

  #choice(
    { among, from, isFair, into }: Extract<IrInstruction, { readonly kind: 'choose' }>,
    { block, at }: Pick<Point, 'block' | 'at'>,
  ): string {
    const point = this.#points.push({ block, at: at + 1, into }) - 1
    const site = this.#generating.choiceSites.push({ function: this.#index, block, at, isFair }) - 1
    const locals = this.#locals()
    const again = `g${this.#index}(${[`${point}`, 'k', 'o[i]', ...locals].join()})`
    const options = [
      `{ const o = ${this.#options(among, from)}; if (n > most) R.leave();`,
      `if (o.length === 1) { v = o[0]; s = ${point}; continue; }`,
    ]
    if (this.#generating.records)
      return [...options, `return R.choose(${site}, o, ${this.#frame(point, { block, at: at + 1, into })}); }`].join(
        ' ',
      )
    return [
      ...options,
      `if (R.made > 1 && R.isMet(${site}, k, [${locals.join()}])) return;`,
      `const m = R.fork(${site}, o.length);`,
      `for (let i = 0; i < o.length; i++) { R.take(m, i); n = 0; ${again}; }`,
      'return R.join(m); }',
    ].join(' ')
  }

  /** Where it goes on. Of what is recorded all locals that nobody reads any more are the same. */
  #frame(number: number, { block, at, into }: Point): string {
    const locals = this.#generating.records ? this.#liveLocals(block, at, into) : this.#locals()
    return `{ f: ${this.#index}, s: ${number}, k, l: [${locals.join()}] }`
  }

  #liveLocals(block: number, at: number, into: number | undefined): readonly string[] {
    this.#live ??= new LiveLocals(this.#declared)
    const live = this.#live.at(block, at)
    return this.#locals().map((local, place) => (live.has(place) && place !== into ? local : `${packedNull}`))
  }

  #options(among: 'boolean' | 'below' | 'element', from: Parameters<ExpressionSource['value']>[0] | undefined): string {
    if (among === 'boolean') return 'R.both'
    return `${among === 'below' ? 'R.below' : 'O.options'}(${this.#orNull(from)})`
  }

  #end(end: IrEnd, depth: number): string {
    const { expressions } = this.#generating
    switch (end.kind) {
      case 'jump':
        return this.#jump(end.to, depth)
      case 'branch': {
        const [one, other] = [this.#jump(end.then, depth), this.#jump(end.otherwise, depth)]
        return `if (${expressions.condition(end.condition)}) { ${one} } else { ${other} }`
      }
      case 'return': {
        const value = this.#orNull(end.value)
        return this.#forks ? `return R.returned(k, ${value});` : `return ${value};`
      }
      case 'raise':
        return `R.raise(${this.#event(end.event)}, ${this.#orNull(end.payload)}); ${this.#left()}`
      case 'goto':
        return `R.goto(${end.state}, ${this.#orNull(end.payload)}); ${this.#left()}`
      case 'receive':
      case 'fail':
        return 'R.leave();'
    }
  }

  #jump(to: number, depth: number): string {
    const isInline = this.#predecessors[to] === 1 && to !== 0 && depth < deepest
    if (isInline) return `n++; ${this.#from(to, 0, depth + 1)}`
    return `if (++n > most) R.leave(); s = ${this.#pointOf(to)}; continue;`
  }

  #pointOf(block: number): number {
    const known = this.#pointOfBlock.get(block)
    if (known !== undefined) return known
    const made = this.#points.push({ block, at: 0, into: undefined }) - 1
    this.#pointOfBlock.set(block, made)
    return made
  }
}

/** How many blocks lead to each. */
function predecessorsOf(blocks: readonly IrBlock[]): readonly number[] {
  const counts = blocks.map(() => 0)
  for (const { end } of blocks) for (const to of successorsOf(end)) counts[to] = (counts[to] ?? 0) + 1
  return counts
}
