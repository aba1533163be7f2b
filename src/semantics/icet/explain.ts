/**
 * Whether an execution of a program is one of its term. A proof holds for every interpretation of the term's opaque functions, so one
 * interpretation under which the term does the same is enough (ADR 16). Processes share nothing but that interpretation and the
 * messages, which are the program's own: each is followed alone first, so that a difference is found where it is.
 */
import type { Icet, IcetProcess } from '../../program/icet.ts'
import { Alternatives } from './alternatives.ts'
import { Divergence } from './divergence.ts'
import type { Followed, TermExecution } from './execution.ts'
import { follow, Parted } from './follow.ts'
import { Contradiction, Interpretation } from './interpretation.ts'

/** Runs of a term along one execution. */
const mostRuns = 2_000

/** Throws a divergence if it is none; false if nothing was found within limits. */
export function explains(icet: Icet, execution: TermExecution): boolean {
  const processes = execution.processes.flatMap((followed) => {
    if (followed.process !== undefined) return [{ followed, process: followed.process }]
    checkLeftOut(followed, icet)
    return []
  })
  const alone = processes.map((one) => found([one], execution))
  return alone.every(Boolean) && found(processes, execution)
}

interface Walked {
  readonly followed: Followed
  readonly process: IcetProcess
}

/** Looks for an interpretation under which all of these processes do what they did. */
function found(processes: readonly Walked[], execution: TermExecution): boolean {
  const alternatives = new Alternatives()
  let furthest: { readonly parted: Parted; readonly id: string } | undefined
  let isOpen = false
  for (let runs = 0; runs < mostRuns; runs++) {
    let id = ''
    try {
      const guess = new Interpretation(alternatives)
      for (const { followed, process } of processes) {
        id = followed.id
        follow(followed, process, execution, guess)
      }
      if (guess.isPossible()) return true
      isOpen = true
    } catch (error) {
      if (error instanceof Parted) {
        isOpen ||= error.isOpen
        if (furthest === undefined || furthest.id !== id || error.steps > furthest.parted.steps)
          furthest = { parted: error, id }
      } else if (!(error instanceof Contradiction)) throw error
    }
    if (!alternatives.again()) return isOpen ? false : diverges(processes, furthest)
  }
  return false
}

function diverges(
  processes: readonly Walked[],
  furthest: { readonly parted: Parted; readonly id: string } | undefined,
): never {
  if (furthest !== undefined) {
    const { did, would, place, event } = furthest.parted
    throw new Divergence({ process: furthest.id, did, would, place, event })
  }
  const [first] = processes
  const would = 'have functions with several results for the same inputs'
  throw new Divergence({ process: first?.followed.id ?? 'main', did: 'computes', would, place: first?.process.place })
}

/** A main process that only starts others is not in the term. */
function checkLeftOut({ id, did, ended }: Followed, { processes }: Icet): void {
  const seen = did.find(({ kind }) => kind !== 'choose')
  if (seen === undefined && ended === 'returned') return
  const words = seen === undefined ? 'does not end' : `performs ${seen.kind === 'other' ? seen.what : seen.kind}`
  throw new Divergence({ process: id, did: words, would: 'not have that process', place: processes[0]?.place })
}

/** A proof says that where all have ended every message has been received. */
export function checkAllRead({ processes }: TermExecution): void {
  if (
    processes.some(({ ended, process }) => ended !== 'returned' && !(ended === 'waiting' && process?.daemon === true))
  )
    return
  const left = processes.find(({ unread }) => unread.length > 0)
  if (left === undefined) return
  throw new Divergence({
    process: left.id,
    did: 'does not receive all its messages',
    would: 'do',
    place: left.process?.place,
  })
}
