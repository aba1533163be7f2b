/** The quorum tree as an object that protocols announce to: one tree, or one for each slot, and votes that are counted. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import {
  checkNoMore,
  checkShape,
  oneOf,
  type Shape,
  type ShapeProblem,
  type Shapes,
  shape,
  shapeProblems,
  shapes,
  shown,
} from '../../core/option-shape.ts'
import { mistake } from '../../core/running.ts'
import { encodeValue, sameValue, type Value } from '../../core/value.ts'
import { showValue } from '../../core/value-text.ts'
import {
  type AbstractCall,
  type AbstractObject,
  type Applied,
  operationOf,
  type Refined,
} from '../../program/refinement.ts'
import { announcedObject } from './announced-object.ts'
import {
  added,
  committed,
  committedUnder,
  type Decree,
  decided,
  type Grown,
  isRoot,
  isRound,
  type Round,
  roundText,
  type Tree,
} from './qtree.ts'
import { TreeCalls } from './tree-calls.ts'
import { treePicture } from './tree-picture.ts'
import { type Ballot, counted, incomparable, type Vote } from './tree-votes.ts'

interface Slotted {
  /** Which tree, where there is one for each slot. */
  readonly slot?: Value
}

interface AddCall extends Slotted {
  readonly round: Round
  readonly value?: Value
  /** The value is not known yet: it is told with the commit. */
  readonly open?: boolean
  /** The round that it carries on; 0 is the root. */
  readonly parent: Round
}

interface CommitCall extends Slotted {
  readonly round: Round
  readonly value?: Value
}

interface DecidedCall extends Slotted {
  readonly round: Round
}

/** By whom, and how many make it happen: a second vote of the same voter counts no more. */
type VoteCall = Vote & Slotted

export interface QuorumTree extends Refined {
  /** A value was proposed in a round, because of what was found about the round `parent`. */
  add(call: AddCall): AbstractCall
  /** A quorum has accepted it. */
  commit(call: CommitCall): AbstractCall
  /** Somebody acts on it. */
  decided(call: DecidedCall): AbstractCall
  /** One of those whose votes together are an `add` or a `commit`. */
  vote(call: VoteCall): AbstractCall
}

export interface QuorumTreeOptions {
  /** `single`, unless told otherwise: one value is decided on. `log`: each round is an entry of a log. */
  readonly decree?: Decree
  /** One tree for each slot. */
  readonly slots?: boolean
}

const optionShapes: Shapes<QuorumTreeOptions> = { decree: oneOf('single', 'log'), slots: shapes.flag }

const round: Shape = {
  ...shape('a whole number above 0, or a list of whole numbers', (value) => isRound(value) && !isRoot(value)),
  wrong: wrongRound,
}
const parent: Shape = { ...shape('a round, or 0 for the root', isRound), wrong: wrongRound }
const anyValue = shape('plain data', () => true)
const callShapes = {
  add: {
    round: { ...round, isNeeded: true },
    value: anyValue,
    open: shapes.flag,
    parent: { ...parent, isNeeded: true },
  },
  commit: { round: { ...round, isNeeded: true }, value: anyValue },
  decided: { round: { ...round, isNeeded: true } },
  vote: {
    phase: { ...oneOf('add', 'commit'), isNeeded: true },
    round: { ...round, isNeeded: true },
    value: anyValue,
    parent,
    by: { ...shapes.text, isNeeded: true },
    quorum: { ...shapes.count, isNeeded: true },
  },
} as const

type Operation = keyof typeof callShapes

/** A quorum tree: `announce(tree.add({ round, value, parent }))` where a value is proposed, `tree.commit({ round })` where it is decided. */
export function qtree(name: string, options?: QuorumTreeOptions): QuorumTree
export function qtree(name: string, options: QuorumTreeOptions = {}, ...extra: readonly unknown[]): QuorumTree {
  checkNoMore(extra, `qtree(${shown(name)}, { decree, slots })`)
  if (typeof name !== 'string' || name === '')
    mistake({ code: 'E107', message: `a quorum tree needs a name and got ${shown(name)}`, hint: "qtree('paxos')" })
  checkShape(options, optionShapes, { of: `quorum tree "${name}"` })
  const { decree = 'single', slots = false } = options
  return announcedObject(new TreeObject(name, decree, slots), (operation, call) => {
    checkShape(call, shapesOf(operation as Operation, slots), partsOf(name, operation))
    checkValue(name, operation, call as AddCall & VoteCall)
  }) as QuorumTree
}

/** Which item of a list is none. */
function wrongRound(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined
  if (value.length === 0) return 'an empty list'
  const at = value.findIndex((_, place) => !isRound([value[place]]))
  return `a list whose item ${at + 1} is ${shown(value[at])}`
}

function shapesOf(operation: Operation, hasSlots: boolean): { readonly [part: string]: Shape } {
  return { ...callShapes[operation], ...(hasSlots ? { slot: { ...anyValue, isNeeded: true } } : {}) }
}

function partsOf(name: string, operation: string) {
  return { of: `${operation} of quorum tree "${name}"`, noun: 'part' } as const
}

/** A round without a value that was meant to have one would agree with no other. */
function checkValue(name: string, operation: string, call: Partial<AddCall & VoteCall>): void {
  const problem = valueProblem(name, operation, call)
  if (problem !== undefined) mistake({ code: 'E107', ...problem })
}

function valueProblem(
  name: string,
  operation: string,
  { value, open, phase, round, parent }: Partial<AddCall & VoteCall>,
): ShapeProblem | undefined {
  if (operation === 'vote' && phase === 'add' && value === undefined) {
    const hint = "tree.vote({ phase: 'add', round, value, parent, by, quorum })"
    return { message: `vote of quorum tree "${name}" to add a round needs a value`, hint }
  }
  const unlike = round !== undefined && parent !== undefined ? unlikeRounds(name, round, [parent]) : undefined
  if (unlike !== undefined) return unlike
  if (operation !== 'add' || (value === undefined) === (open === true)) return undefined
  return {
    message: `add of quorum tree "${name}" needs a value, or open: true, and not both`,
    hint: 'tree.add({ round, value, parent }); an open round has its value with its commit',
  }
}

/** Lists are compared place by place, which says nothing of two of different lengths. */
function unlikeRounds(name: string, round: Round, others: readonly Round[]): ShapeProblem | undefined {
  const other = others.find((one) => !isRoot(one) && lengthOf(one) !== lengthOf(round))
  if (other === undefined) return undefined
  return {
    message: `quorum tree "${name}" is told of round ${roundText(round)} and of round ${roundText(other)}, which have no order`,
    hint: 'write all rounds of a tree in one form: numbers, or lists of one length, as in round: [view, index]',
  }
}

function lengthOf(one: Round): number {
  return typeof one === 'number' ? 1 : one.length
}

function refuseCall(problem: ShapeProblem | undefined): void {
  if (problem !== undefined) throw new DiagnosticError({ code: 'E107', ...problem })
}

interface Slot {
  readonly of: Value
  readonly tree: Tree
  readonly ballots: readonly Ballot[]
}

function quorumsIn({ ballots }: Slot): number {
  return ballots.filter(({ isEnough }) => isEnough).length
}

class TreeObject implements AbstractObject {
  readonly name: string
  readonly first: Value = []
  readonly operations = ['add', 'commit', 'decided', 'vote'] as const
  readonly expected = ['add', 'commit'] as const
  readonly #decree: Decree
  readonly #hasSlots: boolean
  readonly #calls: TreeCalls

  constructor(name: string, decree: Decree, hasSlots: boolean) {
    this.name = name
    this.#decree = decree
    this.#hasSlots = hasSlots
    this.#calls = new TreeCalls(name, decree)
  }

  conflicts(one: AbstractCall, other: AbstractCall): string | undefined {
    if (!this.#hasSlots || sameValue(one.slot, other.slot))
      refuseCall(unlikeRounds(this.name, one.round as Round, [other.round as Round]))
    return this.#calls.conflicts(one, other)
  }

  needs(call: AbstractCall, past: readonly AbstractCall[]): string | undefined {
    return this.#calls.needs(call, past)
  }

  problemOf(call: AbstractCall): ShapeProblem | undefined {
    const operation = operationOf(this, call) as Operation
    const { kind: _, ...parts } = call
    const [problem] = shapeProblems(parts, shapesOf(operation, this.#hasSlots), partsOf(this.name, operation))
    return problem ?? valueProblem(this.name, operation, parts)
  }

  undecided(call: AbstractCall): string | undefined {
    return this.#calls.undecided(call)
  }

  after(state: Value, call: AbstractCall): Applied {
    const slots = state as unknown as readonly Slot[]
    const before = this.#slotOf(slots, call)
    const known = before.tree.map((node) => node.round)
    refuseCall(unlikeRounds(this.name, call.round as Round, known.slice(0, 1)))
    const after = this.#applied(before, call)
    if ('refused' in after) return after
    if (after === before) return { state }
    const all = [...slots.filter((one) => !sameValue(one.of, before.of)), after]
    const keyed = all.map((one) => ({ key: encodeValue(one.of), one }))
    keyed.sort((left, right) => (left.key < right.key ? -1 : 1))
    const comesTo = quorumsIn(after) > quorumsIn(before) ? this.#made(call as unknown as VoteCall) : undefined
    return { state: keyed.map(({ one }) => one) as unknown as Value, comesTo }
  }

  #slotOf(slots: readonly Slot[], { slot = null }: AbstractCall): Slot {
    const of = this.#hasSlots ? slot : null
    return slots.find((one) => sameValue(one.of, of)) ?? { of, tree: [], ballots: [] }
  }

  #applied(slot: Slot, call: AbstractCall): Slot | Extract<Applied, { readonly refused: unknown }> {
    const operation = operationOf(this, call) as Operation
    if (operation === 'vote') return this.#voted(slot, call as unknown as VoteCall)
    const grown = this.#grown(slot.tree, operation, call)
    if ('refused' in grown) return grown
    return grown.tree === slot.tree ? slot : { ...slot, tree: grown.tree }
  }

  #grown(tree: Tree, operation: Exclude<Operation, 'vote'>, call: AbstractCall): Grown {
    const at = call.round as Round
    if (operation === 'decided') return decided(tree, at)
    if (operation === 'commit') return committed(tree, at, call.value, this.#decree)
    const opened = call.open === true ? { isOpen: true as const } : { value: call.value }
    return added(tree, { round: at, parent: call.parent as Round, ...opened }, this.#decree)
  }

  #voted(slot: Slot, vote: VoteCall): Slot | Extract<Applied, { readonly refused: unknown }> {
    const { phase, round: at, value, parent: above } = vote
    this.#refuseIncomparable(slot, vote)
    const { ballots, isEnough } = counted(slot.ballots, vote)
    if (ballots === slot.ballots) return slot
    if (!isEnough) return { ...slot, ballots }
    const grown =
      phase === 'commit'
        ? committedUnder(slot.tree, vote, this.#decree)
        : added(slot.tree, { round: at, parent: above ?? 0, value: value as Value }, this.#decree)
    return 'refused' in grown ? { ...grown, comesTo: this.#made(vote) } : { ...slot, tree: grown.tree, ballots }
  }

  /** What a quorum of such votes is. */
  #made({ phase, round: at, value, parent: above, slot }: VoteCall): AbstractCall {
    const where = slot === undefined ? {} : { slot }
    const what = value === undefined ? {} : { value }
    const under = phase === 'add' ? { parent: (above ?? 0) as Value } : {}
    return { kind: `${this.name}.${phase}`, round: at as Value, ...what, ...under, ...where }
  }

  #refuseIncomparable({ ballots }: Slot, vote: VoteCall): void {
    const problem = incomparable(ballots, vote)
    if (problem === undefined) return
    const said = this.described(vote as unknown as AbstractCall)
    refuseCall({ message: `quorum tree "${this.name}" is told of a ${said}, ${problem.what}`, hint: problem.hint })
  }

  callsIn(state: Value): { readonly add: number; readonly commit: number } {
    const nodes = (state as unknown as readonly Slot[]).flatMap(({ tree }) => tree)
    return { add: nodes.length, commit: nodes.filter(({ status }) => status === 'committed').length }
  }

  /** Heartbeats repeat what was said before. */
  isRepeatable(): boolean {
    return true
  }

  described(call: AbstractCall): string {
    const { round: at, value, open, parent: above, slot, by, phase } = call
    const what = open === true ? ' open' : value === undefined ? '' : ` = ${showValue(value, 40)}`
    const under = above === undefined ? '' : ` under ${roundText(above as Round)}`
    const where = this.#hasSlots ? ` in slot ${showValue(slot, 20)}` : ''
    const operation = operationOf(this, call)
    const said = operation === 'vote' ? `vote of ${String(by)} to ${String(phase)}` : operation
    return `${said} round ${roundText(at as Round)}${what}${under}${where}`
  }

  drawn(state: Value, call: AbstractCall): readonly string[] {
    const { tree } = this.#slotOf(state as unknown as readonly Slot[], call)
    const { round: at, parent: above, value, open } = call
    const isAdd = operationOf(this, call) === 'add' || call.phase === 'add'
    const label = open === true ? 'open' : value === undefined ? '?' : showValue(value, 40)
    return treePicture(tree, { round: at as Round, ...(isAdd ? { parent: (above ?? 0) as Round } : {}), label })
  }
}
