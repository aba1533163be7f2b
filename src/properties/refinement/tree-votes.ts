/**
 * Votes that are counted: so many of different voters are an `add` or a `commit`. They count together if all that they say is equal: phase, round, value and
 * parent. Where one vote says less than another, it cannot be told whether both are for the same, so that it is a mistake.
 */
import { encodeValue, type Value } from '../../core/value.ts'
import { type Round, roundKey } from './qtree.ts'

export interface Vote {
  readonly phase: 'add' | 'commit'
  readonly round: Round
  readonly value?: Value
  readonly parent?: Round
  readonly by: string
  readonly quorum: number
}

export interface Ballot {
  /** Phase and round. */
  readonly of: string
  /** What is said of the round. */
  readonly on: string
  /** Nobody need be known any more: votes that come later change nothing, whoever made the quorum. */
  readonly isEnough: boolean
  /** Whether these are said: value, parent. */
  readonly tells: readonly [boolean, boolean]
  readonly by: readonly string[]
  readonly quorum: number
}

interface Counted {
  /** The same list, if the vote counts no more. */
  readonly ballots: readonly Ballot[]
  /** Whether this vote makes the quorum. */
  readonly isEnough: boolean
}

export function counted(ballots: readonly Ballot[], vote: Vote): Counted {
  const empty = emptyBallot(vote)
  const known = ballots.find(({ of, on }) => of === empty.of && on === empty.on) ?? empty
  if (known.isEnough || known.by.includes(vote.by)) return { ballots, isEnough: false }
  const by = [...known.by, vote.by].sort()
  const isEnough = by.length === vote.quorum
  const ballot = { ...known, isEnough, by: isEnough ? [] : by }
  const all = [...ballots.filter((one) => one !== known), ballot]
  all.sort((left, right) => (left.of + left.on < right.of + right.on ? -1 : 1))
  return { ballots: all, isEnough }
}

function emptyBallot({ phase, round, value, parent, quorum }: Vote): Ballot {
  // A node stands under the root unless told otherwise; a commit need not say under what.
  const under = phase === 'add' ? (parent ?? 0) : parent
  const said = [value === undefined ? '' : encodeValue(value), under === undefined ? '' : roundKey(under)]
  return {
    of: `${phase} ${roundKey(round)} `,
    on: said.join(' under '),
    tells: [value !== undefined, under !== undefined],
    isEnough: false,
    by: [],
    quorum,
  }
}

/** Why this vote and an earlier one of its round cannot be compared. */
export function incomparable(
  ballots: readonly Ballot[],
  vote: Vote,
): { readonly what: string; readonly hint: string } | undefined {
  const { of, tells, quorum } = emptyBallot(vote)
  for (const other of ballots.filter((one) => one.of === of)) {
    if (other.quorum !== quorum)
      return {
        what: `with a quorum of ${quorum}, and of another one with ${other.quorum}`,
        hint: 'how many votes make a quorum is the same for all votes of a round',
      }
    const [at] = ['value', 'parent'].filter((_, place) => other.tells[place] !== tells[place])
    if (at !== undefined)
      return {
        what: `and of another one, and one of them alone tells a ${at}`,
        hint: `tell the ${at} in all votes of a round, or in none: votes count together if they say the same`,
      }
  }
  return undefined
}
