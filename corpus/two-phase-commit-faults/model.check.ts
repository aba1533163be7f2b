/** Two-phase commit whose coordinator may crash, for good or to begin again without its memory. */
import { type Address, assert, choose, type Process, program, receive, self, send, spawn } from 'allways'

interface Vote {
  readonly kind: 'vote'
  readonly yes: boolean
}
interface Prepare {
  readonly kind: 'prepare'
  readonly coordinator: Address<Vote>
}
interface Decision {
  readonly kind: 'decision'
  readonly commit: boolean
}

function* participant(number: number): Process<Prepare | Decision> {
  const { coordinator } = yield* receive<Prepare>('prepare')
  const yes = yield* choose([true, false])
  yield* send(coordinator, { kind: 'vote', yes })
  const { commit } = yield* receive<Decision>('decision')
  yield* assert(yes || !commit, `participant ${number} voted no, and the coordinator committed`)
}

function* twoPhaseCommit(n: number) {
  const all: Address<Prepare | Decision>[] = []
  for (let i = 0; i < n; i++) all.push(yield* spawn(`participant ${i}`, { crashes: false }, participant, i))
  yield* spawn('coordinator', function* (): Process<Vote> {
    const coordinator = yield* self<Vote>()
    for (const one of all) yield* send(one, { kind: 'prepare', coordinator })
    let commit = true
    for (let i = 0; i < n; i++) commit = (yield* receive<Vote>('vote')).yes && commit
    for (const one of all) yield* send(one, { kind: 'decision', commit })
  })
}

const params = { n: 2 } as const

/** Participants that have voted wait for ever. */
export const crashing = program('a coordinator that crashes', { params, faults: { crashes: 1 } }, ({ n }) =>
  twoPhaseCommit(n),
)

/** A vote that was counted before the crash is not sent again. */
export const restarting = program(
  'a coordinator that restarts',
  { params, faults: { crashes: 1, restarts: 1 } },
  ({ n }) => twoPhaseCommit(n),
)
