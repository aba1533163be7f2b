/**
 * The quorum tree (thesis, §3.2, Algorithm 4): a node for each round in which something was proposed, under the round whose value it carries on. Rounds are
 * added and committed; an execution of a consensus protocol that refines the tree decides on one branch.
 *
 * Departures. A node must extend every committed node of a lower round, and not only the highest: with the condition as printed a committed node can become
 * a ghost (`add 1 a 0; commit 1; add 3 a 1; commit 3; add 2 b 0`). Repeated calls change nothing, as heartbeats repeat them. `decided` observes that a round
 * is on the trunk, which Raft needs for entries of old terms. Open nodes get their value when they are committed, which Fast Paxos needs. Votes are counted
 * to a quorum, for points at which nobody acts but a certificate can exist (PBFT, HotStuff).
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
  const isBound = decree === 'single' && addition.isOpen !== true && above !== undefined
  const hasValue = above?.isOpen !== true || above.status === 'committed'
  if (isBound && hasValue && !sameValue(above.value, addition.value))
    return refused('value', `round ${roundText(parent)} has the value ${showValue(above.value, 40)}`, {
      consequence: `${labelOf(above)} and ${labelOf(addition)} can both be decided`,
    })
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
export function committed(tree: Tree, round: Round, value: Value): Grown {
  const node = nodeOf(tree, round)
  if (node === undefined) return refused('commit', `round ${roundText(round)} was not added`)
  if (node.status === 'ghost') {
    const over = tree.filter(({ round: one }) => compareRounds(one, round) > 0 && areConflicting(tree, one, round))
    const by = over.map((one) => roundText(one.round)).join(', ')
    return refused('commit of ghost', `round ${roundText(round)} is a ghost: round ${by} does not extend it`, {
      consequence: bothDecided(round, (over[0] as TreeNode).round),
    })
  }
  if (node.isOpen === true && node.status === 'added') return committedOpen(tree, node, value)
  if (value !== undefined && !sameValue(value, node.value))
    return refused('value', `round ${roundText(round)} has the value ${showValue(node.value, 40)}`)
  return { tree: withNode(tree, { ...node, status: 'committed' }) }
}

function committedOpen(tree: Tree, node: TreeNode, value: Value): Grown {
  if (value === undefined)
    return refused('value', `round ${roundText(node.round)} is open, and its commit has no value`)
  const other = tree.find(
    (child) => sameRound(child.parent, node.round) && child.isOpen !== true && !sameValue(child.value, value),
  )
  if (other !== undefined)
    return refused('value', `round ${roundText(other.round)} extends it with the value ${showValue(other.value, 40)}`)
  return { tree: withNode(tree, { ...node, value, status: 'committed' }) }
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

/** Equal for equal rounds. */
export function roundKey(round: Round): string {
  return encodeValue(round as Value)
}
