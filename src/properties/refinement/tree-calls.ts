/**
 * What a quorum tree refuses, told without a tree: by two calls that cannot both be, in whatever order, and by what a call lacks before it. A set of calls is
 * allowed in every order that keeps to who comes before whom if, and only if, neither says anything.
 *
 * Votes are not told so, as no two of them make a quorum, nor are open rounds, whose value is known when they are committed: an `add` under an open round is
 * then right in some orders and wrong in others.
 */
import { sameValue, type Value } from '../../core/value.ts'
import { type AbstractCall, operationOf } from '../../program/refinement.ts'
import { compareRounds, type Decree, isRoot, labelOf, type Round, roundText, sameRound } from './qtree.ts'

interface Added {
  readonly kind: 'add'
  readonly round: Round
  readonly value: Value
  readonly parent: Round
}

interface Committed {
  readonly kind: 'commit'
  readonly round: Round
  /** Nothing if it is not told. */
  readonly value: Value
}

type TreeCall = Added | Committed | { readonly kind: 'decided'; readonly round: Round }

export class TreeCalls {
  readonly #name: string
  readonly #decree: Decree

  constructor(name: string, decree: Decree) {
    this.#name = name
    this.#decree = decree
  }

  /** Why the other ones say nothing about this call. */
  undecided(call: AbstractCall): string | undefined {
    if (operationOf({ name: this.#name }, call) === 'vote') return 'votes are counted, and no two of them make a quorum'
    return call.open === true
      ? 'the value of an open round is told with its commit, behind calls that depend on it'
      : undefined
  }

  conflicts(one: AbstractCall, other: AbstractCall): string | undefined {
    if (!sameValue(one.slot, other.slot)) return undefined
    const [left, right] = [this.#read(one), this.#read(other)]
    return this.#conflict(left, right) ?? this.#conflict(right, left)
  }

  #conflict(one: TreeCall, other: TreeCall): string | undefined {
    if (one.kind === 'add' && other.kind === 'add')
      return sameRound(one.round, other.round) ? twice(one, other) : this.#unlike(one, other)
    if (one.kind !== 'commit') return undefined
    if (other.kind === 'add') return passed(one, other) ?? otherwise(one, other)
    return other.kind === 'commit' ? otherwise(one, other) : undefined
  }

  /** A node of another value than the one above it. */
  #unlike(one: Added, other: Added): string | undefined {
    if (this.#decree === 'log' || !sameRound(one.parent, other.round) || sameValue(one.value, other.value))
      return undefined
    return `round ${roundText(one.round)} = ${labelOf(one)} stands under round ${roundText(other.round)} = ${labelOf(other)}`
  }

  needs(call: AbstractCall, before: readonly AbstractCall[]): string | undefined {
    const made = this.#read(call)
    const past = before.filter((one) => sameValue(one.slot, call.slot)).map((one) => this.#read(one))
    const adds = past.filter((one) => one.kind === 'add')
    const isAdded = (round: Round) => isRoot(round) || adds.some((one) => sameRound(one.round, round))
    const missing = (round: Round) => (isAdded(round) ? undefined : `round ${roundText(round)} was not added`)
    switch (made.kind) {
      case 'add':
        if (compareRounds(made.parent, made.round) >= 0)
          return `round ${roundText(made.parent)} is not below round ${roundText(made.round)}`
        return missing(made.parent)
      case 'commit':
        return missing(made.round)
      case 'decided': {
        const isDecided = past.some((one) => one.kind === 'commit' && isUnder(adds, one.round, made.round))
        return (
          missing(made.round) ?? (isDecided ? undefined : `no round at or above ${roundText(made.round)} is committed`)
        )
      }
    }
  }

  #read(call: AbstractCall): TreeCall {
    const kind = operationOf({ name: this.#name }, call) as TreeCall['kind']
    return { kind, round: call.round as Round, value: call.value, parent: call.parent as Round }
  }
}

function twice(one: Added, other: Added): string | undefined {
  const isSame = sameRound(one.parent, other.parent) && sameValue(one.value, other.value)
  if (isSame) return undefined
  const [left, right] = [one, other].map((added) => `${labelOf(added)} under ${roundText(added.parent)}`)
  return `round ${roundText(one.round)} is added as ${left} and as ${right}`
}

/** A node that does not stand under a committed one, though it is later: there is a first such node on its branch, and this is it. */
function passed(commit: Committed, { round, parent }: Added): string | undefined {
  const isPassed = compareRounds(parent, commit.round) < 0 && compareRounds(commit.round, round) < 0
  return isPassed
    ? `round ${roundText(round)} does not extend round ${roundText(commit.round)}, which is committed`
    : undefined
}

function otherwise(commit: Committed, other: Added | Committed): string | undefined {
  if (!sameRound(commit.round, other.round) || commit.value === undefined || other.value === undefined) return undefined
  if (sameValue(commit.value, other.value)) return undefined
  return `round ${roundText(commit.round)} is committed as ${labelOf(commit)}, and it is ${labelOf(other)}`
}

function isUnder(adds: readonly Added[], round: Round, above: Round): boolean {
  for (let at: Round | undefined = round; at !== undefined && !isRoot(at); ) {
    if (sameRound(at, above)) return true
    const node: Added | undefined = adds.find((one) => sameRound(one.round, at as Round))
    // Calls that were written by hand may go in circles.
    if (node === undefined || compareRounds(node.parent, at) >= 0) return false
    at = node.parent
  }
  return false
}
