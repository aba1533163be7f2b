/**
 * The quorum tree (thesis, §3.2, Algorithm 4): a node for each round in which something was proposed, under the round whose value it carries on. Rounds are
 * added and committed; an execution of a consensus protocol that refines the tree decides on one branch.
 *
 * Departures. A node must extend every committed node of a lower round, and not only the highest: with the condition as printed a committed node can become
 * a ghost (`add 1 a 0; commit 1; add 3 a 1; commit 3; add 2 b 0`). Repeated calls change nothing, as heartbeats repeat them. `decided` observes that a round
 * is on the trunk, which Raft needs for entries of old terms. Open nodes get their value when they are committed, which Fast Paxos needs. Votes are counted
 * to a quorum, for points at which nobody acts but a certificate can exist (PBFT, HotStuff).
 *
 * Values, if one is decided on. A node has a value if it was added with one, or is open and committed. What has a value is bound by the next node above that
 * has one, across any number of open nodes without: the two values are equal. So the nodes with a value under one that is committed carry what it carries,
 * and so does the next one above it: all values that are committed are one. An open node that is never committed says nothing: those under it may differ,
 * where nothing above it has a value, because what is under it cannot all be committed. Which calls are refused does not depend on their order, but for
 * what each needs before it.
 */
import { encodeValue, sameValue, type Value } from '../../core/value.ts'
import { showValue } from '../../core/value-text.ts'
import type { Refusal } from '../../program/refinement.ts'

/** Larger rounds are later; lists are compared place by place. 0 is the root. */
export type Round = number | readonly number[]

type NodeStatus = 'added' | 'committed' | 'ghost'

export interface TreeNode {
  readonly round: Round
  /** Nothing yet, of an open node. */
  readonly value?: Value
  readonly isOpen?: true
  readonly parent: Round
  readonly status: NodeStatus
}

/** By round. The root is not among them. */
export type Tree = readonly TreeNode[]

export interface Addition {
  readonly round: Round
  readonly value?: Value
  readonly isOpen?: true
  readonly parent: Round
}

interface CommitOfVotes {
  readonly round: Round
  readonly parent?: Round
  readonly value?: Value
}

export type Grown = { readonly tree: Tree } | { readonly refused: Refusal }

const root: Round = 0

export function isRound(candidate: unknown): candidate is Round {
  const isNumber = (one: unknown): boolean => Number.isSafeInteger(one) && (one as number) >= 0
  return isNumber(candidate) || (Array.isArray(candidate) && candidate.length > 0 && candidate.every(isNumber))
}

export function isRoot(round: Round): boolean {
  return round === root
}

/** Below 0: the left one is earlier. The root is before all others, whatever they look like. */
export function compareRounds(left: Round, right: Round): number {
  if (isRoot(left) || isRoot(right)) return Number(isRoot(right)) - Number(isRoot(left))
  const [one, other] = [left, right].map((round) => (typeof round === 'number' ? [round] : round))
  for (const [at, part] of (one ?? []).entries()) {
    const difference = part - (other?.[at] ?? -1)
    if (difference !== 0) return difference
  }
  return (one?.length ?? 0) - (other?.length ?? 0)
}

export function sameRound(left: Round, right: Round): boolean {
  return compareRounds(left, right) === 0
}

export function nodeOf(tree: Tree, round: Round): TreeNode | undefined {
  return tree.find((node) => sameRound(node.round, round))
}

/** The round itself, then what it stands under, without the root. */
function lineOf(tree: Tree, round: Round): readonly Round[] {
  const line: Round[] = []
  for (let at = round; !isRoot(at); ) {
    line.push(at)
    const node = nodeOf(tree, at)
    if (node === undefined) return line
    at = node.parent
  }
  return line
}

function isOnLine(line: readonly Round[], round: Round): boolean {
  return line.some((one) => sameRound(one, round))
}

/** Neither is above the other, nor are they the same. */
function areConflicting(tree: Tree, one: Round, other: Round): boolean {
  return !isOnLine(lineOf(tree, one), other) && !isOnLine(lineOf(tree, other), one)
}

/** `single`: one value is decided on, so nodes carry the value of the node above. `log`: each node is an entry, and a branch is a log. */
export type Decree = 'single' | 'log'

export function added(tree: Tree, addition: Addition, decree: Decree): Grown {
  const { round, parent } = addition
  const known = nodeOf(tree, round)
  if (known !== undefined) {
    const isSame =
      sameRound(known.parent, parent) &&
      known.isOpen === addition.isOpen &&
      (known.isOpen === true || sameValue(known.value, addition.value))
    const before = `${labelOf(known)} under ${roundText(known.parent)}`
    if (isSame) return { tree }
    const values = `${labelOf(known)} and ${labelOf(addition)}`
    return refused('new round', `round ${roundText(round)} was added before, as ${before}`, {
      consequence: sameValue(known.value, addition.value) ? undefined : `${values} can both be decided`,
    })
  }
  if (compareRounds(parent, round) >= 0)
    return refused('link', `round ${roundText(parent)} is not below round ${roundText(round)}`)
  const above = isRoot(parent) ? undefined : nodeOf(tree, parent)
  if (above === undefined && !isRoot(parent)) return refused('link', `round ${roundText(parent)} was not added`)
  const line = lineOf(tree, parent)
  const passed = tree.find(
    (node) => node.status === 'committed' && compareRounds(node.round, round) < 0 && !isOnLine(line, node.round),
  )
  if (passed !== undefined)
    return refused('trunk', `does not extend round ${roundText(passed.round)}, which is committed`, {
      consequence: bothDecided(passed.round, round),
    })
  const isBound = decree === 'single' && addition.isOpen !== true
  const otherwise = isBound ? unlikeAbove(tree, addition) : undefined
  if (otherwise !== undefined) return otherwise
  const isLate = tree.some((node) => compareRounds(node.round, round) > 0)
  const node: TreeNode = { ...addition, status: isLate ? 'ghost' : 'added' }
  const grown = sorted([...tree, node])
  return { tree: grown.map((one) => (isOvertaken(grown, one, node) ? { ...one, status: 'ghost' } : one)) }
}

function isOvertaken(tree: Tree, one: TreeNode, by: TreeNode): boolean {
  const isLower = compareRounds(one.round, by.round) < 0
  return one.status === 'added' && isLower && areConflicting(tree, one.round, by.round)
}

/** A value is told for open nodes, and may be told for others. */
export function committed(tree: Tree, round: Round, value: Value, decree: Decree): Grown {
  const node = nodeOf(tree, round)
  if (node === undefined) return refused('commit', `round ${roundText(round)} was not added`)
  if (node.status === 'ghost') {
    const over = tree.filter(({ round: one }) => compareRounds(one, round) > 0 && areConflicting(tree, one, round))
    const by = over.map((one) => roundText(one.round)).join(', ')
    return refused('commit of ghost', `round ${roundText(round)} is a ghost: round ${by} does not extend it`, {
      consequence: bothDecided(round, (over[0] as TreeNode).round),
    })
  }
  if (node.isOpen === true && node.status === 'added') return committedOpen(tree, node, value, decree)
  if (value !== undefined && !sameValue(value, node.value))
    return refused('value', `round ${roundText(round)} has the value ${showValue(node.value, 40)}`)
  return { tree: withNode(tree, { ...node, status: 'committed' }) }
}

/** Of votes that say under what the round stands. */
export function committedUnder(tree: Tree, { round, parent, value }: CommitOfVotes, decree: Decree): Grown {
  const node = nodeOf(tree, round)
  if (node === undefined || parent === undefined || sameRound(node.parent, parent))
    return committed(tree, round, value, decree)
  const [is, told] = [node.parent, parent].map(roundText)
  return refused('commit', `round ${roundText(round)} was added under ${is}, and not under ${told}`)
}

function committedOpen(tree: Tree, node: TreeNode, value: Value, decree: Decree): Grown {
  const { round, parent } = node
  if (value === undefined) return refused('value', `round ${roundText(round)} is open, and its commit has no value`)
  const done: Grown = { tree: withNode(tree, { ...node, value, status: 'committed' }) }
  if (decree === 'log') return done
  const other = tree.find(
    (one) => hasValue(one) && !sameValue(one.value, value) && isOnLine(withoutValue(tree, one.parent), round),
  )
  if (other !== undefined)
    return refused('value', `round ${roundText(other.round)} extends it with the value ${showValue(other.value, 40)}`, {
      consequence: `${labelOf(other)} and ${labelOf({ value })} can both be decided`,
    })
  return unlikeAbove(tree, { parent, value }) ?? done
}

function hasValue({ isOpen, status }: TreeNode): boolean {
  return isOpen !== true || status === 'committed'
}

/** The round itself and what it stands under, up to the first that has a value, which is not among them. */
function withoutValue(tree: Tree, round: Round): readonly Round[] {
  const line = lineOf(tree, round)
  const end = line.findIndex((one) => hasValue(nodeOf(tree, one) as TreeNode))
  return end < 0 ? line : line.slice(0, end)
}

/** Nothing, if the next node above that has a value has this one, or if there is none. */
function unlikeAbove(tree: Tree, { parent, value }: Pick<Addition, 'parent' | 'value'>): Grown | undefined {
  const open = withoutValue(tree, parent)
  const next = lineOf(tree, parent)[open.length]
  const above = next === undefined ? undefined : nodeOf(tree, next)
  if (above === undefined || sameValue(above.value, value)) return undefined
  const between = open.length === 0 ? '' : ', and what is open under it can have no other'
  return refused('value', `round ${roundText(above.round)} has the value ${showValue(above.value, 40)}${between}`, {
    consequence: `${labelOf(above)} and ${labelOf({ value })} can both be decided`,
  })
}

/** It changes nothing: somebody acts as if the round were decided, and it must be. */
export function decided(tree: Tree, round: Round): Grown {
  const isDecided = tree.some(
    (node) => node.status === 'committed' && isOnLine(lineOf(tree, node.round), round) && nodeOf(tree, round),
  )
  if (isDecided) return { tree }
  const consequence = `somebody acts on round ${roundText(round)}, and another can still be decided in its place`
  return refused('decided', `no round at or above ${roundText(round)} is committed`, { consequence })
}

function refused(rule: string, reason: string, known: Pick<Refusal, 'consequence'> = {}): Grown {
  return { refused: { rule, reason, ...known } }
}

function bothDecided(one: Round, other: Round): string {
  return `rounds ${roundText(one)} and ${roundText(other)} can both be decided`
}

function withNode(tree: Tree, node: TreeNode): Tree {
  return tree.map((one) => (sameRound(one.round, node.round) ? node : one))
}

function sorted(tree: Tree): Tree {
  return [...tree].sort((one, other) => compareRounds(one.round, other.round))
}

export function roundText(round: Round): string {
  if (isRoot(round)) return 'root'
  return typeof round === 'number' ? String(round) : `(${round.join(', ')})`
}

export function labelOf({ value, isOpen }: Pick<TreeNode, 'value' | 'isOpen'>): string {
  if (isOpen === true && value === undefined) return 'open'
  return value === undefined ? 'without value' : showValue(value, 40)
}

/** Equal for equal rounds, such as 2 and [2]. */
export function roundKey(round: Round): string {
  return encodeValue((isRoot(round) || typeof round !== 'number' ? round : [round]) as Value)
}
