/**
 * Candidates ask every voter; a voter votes once, for whoever asks first; whoever gets a majority announces itself leader. A monitor
 * is told about these announcements and knows all of them, which no process does.
 *
 *   npx allways check examples/election.check.ts
 *   npx allways check examples/election.check.ts --param voters=2 --param candidates=3
 *
 * holds for any numbers you have the patience for.
 */
import {
  type Address,
  announce,
  assert,
  monitor,
  type Notification,
  program,
  receive,
  self,
  send,
  spawn,
} from 'allways'

type Ask = { readonly kind: 'ask'; readonly from: Address<Vote> }
type Vote = { readonly kind: 'vote'; readonly yes: boolean }
type Leader = { readonly kind: 'leader'; readonly candidate: number }

/** Notifications arrive in causal order; the filter decides which ones, and what is left out adds no executions. */
const oneLeader = monitor('one leader', { observes: ['leader'] }, function* () {
  const { message: first } = yield* receive<Notification<Leader>>()
  const { message: second } = yield* receive<Notification<Leader>>()
  yield* assert(false, `both ${first.candidate} and ${second.candidate} are leaders`)
})

function* voter(candidates: number) {
  for (let asked = 0; asked < candidates; asked++) {
    const { from } = yield* receive<Ask>('ask')
    yield* send(from, { kind: 'vote', yes: asked === 0 })
  }
}

function* candidate(number: number, voters: readonly Address<Ask>[]) {
  for (const one of voters) yield* send(one, { kind: 'ask', from: yield* self<Vote>() })
  let votes = 0
  for (const _ of voters) if ((yield* receive<Vote>('vote')).yes) votes++
  if (votes > voters.length / 2) yield* announce({ kind: 'leader', candidate: number } satisfies Leader)
}

const options = { params: { voters: 3, candidates: 2 }, properties: [oneLeader] } as const

export default program('election', options, function* ({ voters, candidates }) {
  const all: Address<Ask>[] = []
  for (let i = 1; i <= voters; i++) all.push(yield* spawn(`voter ${i}`, voter, candidates))
  for (let i = 1; i <= candidates; i++) yield* spawn(`candidate ${i}`, candidate, i, all)
})
