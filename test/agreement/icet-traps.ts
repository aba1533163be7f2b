/**
 * Phases that look like the safe ones and are not, mostly from two members on: what one iteration leaves behind decides what the
 * next one does, a wildcard takes the other one's message, two counts are not the same. Each has a twin that is safe.
 */
import {
  assert,
  assign,
  binary,
  each,
  equals,
  field,
  literal,
  message,
  not,
  receive,
  repeat,
  self,
  send,
  the,
  variable,
  when,
} from './icet-build.ts'
import { caller, type Draft } from './icet-draft.ts'

const from = { from: self }

/** The one whose message came last is told so, and everybody waits to be told; the twin tells all. */
export function lastOne(draft: Draft): void {
  const [p, set, kind, won] = [draft.single(), draft.set(), draft.kind(), draft.kind()]
  const [got, member] = [draft.fresh('v'), draft.fresh('e')]
  draft.parameter('n', 1)
  set.body.push(send(the(p.name), message(kind, from)), receive(undefined, won))
  const tells = send(field(variable(got), 'from'), message(won))
  const isTwin = draft.chance(0.3)
  p.body.push(each(member, set.name, receive(got, kind), ...(isTwin ? [tells] : [])), ...(isTwin ? [] : [tells]))
}

/** The kind of what is sent changes after the first iteration, and nobody waits for the other kind. */
export function forgotten(draft: Draft): void {
  const [p, set, first, later] = [draft.single(), draft.set(), draft.kind(), draft.kind()]
  const [member, seen] = [draft.fresh('e'), draft.fresh('t')]
  const sends = (kind: string) => [send(variable(member), message(kind))]
  const isFirst = equals(variable(seen), literal(true))
  p.body.push(
    assign(seen, literal(true)),
    each(member, set.name, when(isFirst, sends(first), sends(later)), assign(seen, literal(draft.chance(0.3)))),
  )
  set.body.push(receive(undefined, first))
}

/** The lock server that answers the member whose turn it is instead of the one that asked. */
export function turns(draft: Draft): void {
  const [p, set] = [draft.single(), draft.set()]
  const [lock, ack, unlock] = [draft.kind(), draft.kind(), draft.kind()]
  const [asked, member] = [draft.fresh('v'), draft.fresh('e')]
  const asker = field(variable(asked), 'from')
  const isTwin = draft.chance(0.4)
  p.body.push(
    each(
      member,
      set.name,
      isTwin ? receive(asked, lock, variable(member)) : receive(asked, lock),
      send(variable(member), message(ack)),
      receive(undefined, unlock, draft.chance(0.7) ? asker : variable(member)),
    ),
  )
  set.body.push(send(the(p.name), message(lock, from)), receive(undefined, ack), send(the(p.name), message(unlock)))
}

/** As many receives as one parameter says, as many sends as another one. */
export function twoCounts(draft: Draft): void {
  const [p, set, kind] = [draft.single(), draft.set(), draft.kind()]
  set.body.push(send(the(p.name), message(kind)))
  p.body.push(repeat(undefined, draft.parameter(draft.chance(0.3) ? 'n' : 'k'), receive(undefined, kind)))
}

/** Two processes say the same to a third, which takes one for the other; the twin says from whom. */
export function twoSenders(draft: Draft): void {
  const [p, kind, got] = [draft.single(), draft.kind(), draft.fresh('v')]
  const m = draft.single(p)
  const s = draft.single(p, m)
  const isTwin = draft.chance(0.4)
  p.body.push(send(the(s.name), message(kind, { x: literal(1) })))
  m.body.push(send(the(s.name), message(kind, { x: literal(2) })))
  const takes = (who: string) => (isTwin ? receive(got, kind, the(who)) : receive(got, kind))
  s.body.push(
    takes(p.name),
    assert(equals(field(variable(got), 'x'), literal(1)), 'the first is from p'),
    takes(m.name),
  )
}

/** A message and its echo by another process arrive in either order. */
export function echo(draft: Draft): void {
  const [p, set, kind, tick] = [draft.single(), draft.set(), draft.kind(), draft.kind()]
  const [m, member, got] = [draft.single(p), draft.fresh('e'), draft.fresh('v')]
  const tells = (x: number) => each(member, set.name, send(variable(member), message(kind, { x: literal(x) })))
  p.body.push(tells(1), send(the(m.name), message(tick)))
  m.body.push(receive(undefined, tick), tells(2))
  const isTwin = draft.chance(0.4)
  set.body.push(
    isTwin ? receive(got, kind, the(p.name)) : receive(got, kind),
    assert(equals(field(variable(got), 'x'), literal(1)), 'not overtaken'),
    receive(undefined, kind),
  )
}

/** Each member but the last is answered by the iteration after its own; the twin answers the last one too. */
export function chain(draft: Draft): void {
  const [p, set, kind, next] = [draft.single(), draft.set(), draft.kind(), draft.kind()]
  const [got, last, member] = [draft.fresh('v'), draft.fresh('l'), draft.fresh('e')]
  const tells = when(binary(variable(last), '!==', literal(null)), [send(variable(last), message(next))])
  p.body.push(
    assign(last, literal(null)),
    each(member, set.name, receive(got, kind), tells, assign(last, field(variable(got), 'from'))),
    ...(draft.chance(0.5) ? [tells] : []),
  )
  set.body.push(send(the(p.name), message(kind, from)), receive(undefined, next))
}

/** Every other member; the twin goes on with the others. */
export function everyOther(draft: Draft): void {
  const [p, set, kind] = [draft.single(), draft.set(), draft.kind()]
  const [even, member] = [draft.fresh('t'), draft.fresh('e')]
  const half = each(
    member,
    set.name,
    when(variable(even), [send(variable(member), message(kind))]),
    assign(even, not(variable(even))),
  )
  p.body.push(assign(even, literal(true)), half)
  if (draft.chance(0.5)) p.body.push(assign(even, literal(false)), half)
  set.body.push(receive(undefined, kind))
}

/** A server that takes two messages for one call: of two clients, it may take one from each. */
export function mixedCalls(draft: Draft): void {
  const [set, first, second, reply] = [draft.set(), draft.kind(), draft.kind(), draft.kind()]
  const isTwin = draft.chance(0.4)
  const more = isTwin ? receive('more', second, caller) : receive('more', second)
  const finds = isTwin ? caller : draft.chance(0.5) ? field(variable('more'), 'from') : caller
  draft
    .server('d')
    .serves.push({ kind: first, answer: [more, send(finds, message(reply)), send(caller, message(reply))] })
  set.body.push(
    send(the('d'), message(first, from)),
    send(the('d'), message(second, from)),
    receive(undefined, reply),
    receive(undefined, reply),
  )
}

/** Rounds of which each depends on what the round before received. */
export function rounds(draft: Draft): void {
  const [p, ping, pong, times] = [draft.single(), draft.kind(), draft.kind(), draft.parameter('k')]
  const [m, got, state] = [draft.single(p), draft.fresh('v'), draft.fresh('t')]
  const isTwin = draft.chance(0.4)
  p.body.push(
    assign(state, literal(0)),
    repeat(
      undefined,
      times,
      send(the(m.name), message(ping, { x: variable(state) })),
      receive(got, pong),
      assign(state, field(variable(got), 'x')),
    ),
  )
  m.body.push(
    repeat(
      undefined,
      times,
      receive('got', ping),
      assert(equals(field(variable('got'), 'x'), literal(0)), 'still nothing'),
      send(the(p.name), message(pong, { x: literal(isTwin ? 0 : 1) })),
    ),
  )
}
