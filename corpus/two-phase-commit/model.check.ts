/** Two-phase commit: a coordinator asks n participants to prepare, and commits only if all of them vote yes. */
import { type Address, assert, choose, join, type Process, program, receive, self, send, spawn } from 'allways'

interface Vote {
  readonly kind: 'vote'
  readonly yes: boolean
}
interface Counted {
  readonly kind: 'counted'
  readonly helper: number
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

function* participants(n: number) {
  const started: Address<Prepare | Decision>[] = []
  for (let i = 0; i < n; i++) started.push(yield* spawn(`participant ${i}`, participant, i))
  return started
}

/** Votes race to the coordinator. */
export const twoPhaseCommit = program('two-phase commit', { params: { n: 3 } }, function* ({ n }) {
  const all = yield* participants(n)
  const coordinator = yield* spawn('coordinator', function* (): Process<Vote | { readonly kind: 'init' }> {
    yield* receive('init')
    const own = yield* self<Vote>()
    for (const one of all) yield* send(one, { kind: 'prepare', coordinator: own })
    let commit = true
    for (let i = 0; i < n; i++) commit = (yield* receive<Vote>('vote')).yes && commit
    for (const one of all) yield* send(one, { kind: 'decision', commit })
  })
  yield* send(coordinator, { kind: 'init' })
})

/** A helper per participant takes its vote, and the coordinator asks the helpers in turn: votes do not race. */
export const twoPhaseCommitHelpers = program('two-phase commit with helpers', { params: { n: 3 } }, function* ({ n }) {
  const all = yield* participants(n)
  yield* spawn('coordinator', function* (): Process<Counted> {
    const own = yield* self<Counted>()
    const helpers = []
    for (const [i, one] of all.entries()) helpers.push(yield* spawn(`helper ${i}`, helper, i, one, own))
    let commit = true
    for (const [i, one] of helpers.entries()) {
      yield* join(one)
      commit = (yield* receive((counted: Counted) => counted.helper === i)).yes && commit
    }
    for (const one of all) yield* send(one, { kind: 'decision', commit })
  })
})

function* helper(number: number, one: Address<Prepare>, coordinator: Address<Counted>): Process<Vote> {
  yield* send(one, { kind: 'prepare', coordinator: yield* self<Vote>() })
  const { yes } = yield* receive<Vote>('vote')
  yield* send(coordinator, { kind: 'counted', helper: number, yes })
}

/** The planted bug: the coordinator remembers only the last vote. Violated when a yes arrives after a no. */
export const twoPhaseCommitLastVote = program(
  'two-phase commit, last vote wins',
  { params: { n: 2 } },
  function* ({ n }) {
    const all = yield* participants(n)
    yield* spawn('coordinator', function* (): Process<Vote> {
      const own = yield* self<Vote>()
      for (const one of all) yield* send(one, { kind: 'prepare', coordinator: own })
      let commit = true
      for (let i = 0; i < n; i++) commit = (yield* receive<Vote>('vote')).yes
      for (const one of all) yield* send(one, { kind: 'decision', commit })
    })
  },
)
