/**
 * Phases of protocols, each written for all that take part in it at once, so that by itself it is safe for every size: what is
 * sent is received. What goes wrong when phases meet (a wildcard takes the next phase's message) or when a line is changed is
 * for the engines to find.
 */
import type { Expression, Statement } from '../../src/program/icet.ts'
import {
  again,
  assert,
  assign,
  binary,
  choose,
  each,
  either,
  equals,
  field,
  forEver,
  leave,
  literal,
  message,
  opaque,
  pick,
  receive,
  repeat,
  self,
  send,
  the,
  variable,
  when,
} from './icet-build.ts'
import { caller, type Draft, type Participant } from './icet-draft.ts'
import {
  chain,
  echo,
  everyOther,
  forgotten,
  lastOne,
  mixedCalls,
  rounds,
  turns,
  twoCounts,
  twoSenders,
} from './icet-traps.ts'

export type Phase = (draft: Draft) => void

/** How often each phase is drawn. */
export const phases: readonly (readonly [weight: number, phase: Phase])[] = [
  [2, broadcast],
  [3, gather],
  [3, greetings],
  [4, requests],
  [3, calls],
  [3, forwardedCalls],
  [3, pipeline],
  [4, pickedWorkers],
  [4, workQueue],
  [3, agreedBranch],
  [2, votes],
  [3, nested],
  [4, counted],
  [2, exchange],
  [2, remembered],
  [1, checkedData],
  [1, clientLoop],
  [1, lastOne],
  [1, forgotten],
  [2, turns],
  [1, twoCounts],
  [1, twoSenders],
  [1, echo],
  [2, chain],
  [1, everyOther],
  [2, mixedCalls],
  [1, rounds],
]

/** Whoever has just received in `variable` a message with a `from`, or that process by its name. */
function back(draft: Draft, name: string, process: Participant): Expression {
  return draft.chance(0.7) ? field(variable(name), 'from') : the(process.name)
}

const from = { from: self }

/** A receive by a process that could also name the sender. */
function taken(draft: Draft, name: string | undefined, kind: string, sender: Expression): Statement {
  return draft.chance(0.6) ? receive(name, kind) : receive(name, kind, sender)
}

function broadcast(draft: Draft): void {
  const [p, set, kind] = [draft.single(), draft.set(), draft.kind()]
  const member = draft.fresh('e')
  p.body.push(each(member, set.name, send(variable(member), message(kind, { ...from, x: literal(1) }))))
  set.body.push(taken(draft, draft.fresh('v'), kind, the(p.name)))
}

function gather(draft: Draft): void {
  const [p, set, kind] = [draft.single(), draft.set(), draft.kind()]
  set.body.push(send(the(p.name), message(kind, from)))
  const [member, name] = [draft.fresh('e'), draft.fresh('v')]
  if (draft.chance(0.3)) p.body.push(each(member, set.name, receive(name, kind, variable(member))))
  else p.body.push(draft.times(set, undefined, receive(name, kind)))
}

/** Brisk's EX2 and EX3: greet each, and wait for its answer before the next, or for all answers later. */
function greetings(draft: Draft): void {
  const [p, set, ping, pong] = [draft.single(), draft.set(), draft.kind(), draft.kind()]
  const [member, greeted] = [draft.fresh('e'), draft.fresh('v')]
  const greets = send(variable(member), message(ping, from))
  const answer = [taken(draft, greeted, ping, the(p.name)), send(back(draft, greeted, p), message(pong, from))]
  // One in four answers before it is asked.
  set.body.push(...(draft.chance(0.25) ? [send(the(p.name), message(pong)), receive(undefined, ping)] : answer))
  if (draft.chance(0.5)) p.body.push(each(member, set.name, greets, receive(undefined, pong, variable(member))))
  else p.body.push(each(member, set.name, greets), draft.times(set, undefined, receive(undefined, pong)))
}

/** A server that serves each member once, as Brisk's PINGSYM and LOCKSERVER. */
function requests(draft: Draft): void {
  const [p, set] = [draft.single(), draft.set()]
  const [request, reply, done] = [draft.kind(), draft.kind(), draft.kind()]
  const asked = draft.fresh('v')
  const asker = field(variable(asked), 'from')
  const serves = [receive(asked, request), send(asker, message(reply, from))]
  const asks = [send(the(p.name), message(request, from)), taken(draft, undefined, reply, the(p.name))]
  if (draft.chance(0.4)) {
    serves.push(receive(undefined, done, asker))
    asks.push(send(the(p.name), message(done)))
  }
  p.body.push(draft.times(set, undefined, ...serves))
  set.body.push(...asks)
}

/** A call of a server that serves for ever, by a process, by every member of a set, or by one for each of them. */
function calls(draft: Draft): void {
  const [kind, reply] = [draft.kind(), draft.kind()]
  const client = draft.chance(0.6) ? draft.set() : draft.single()
  const answers = draft.chance(0.8)
  draft.server('d').serves.push({ kind, answer: answers ? [send(caller, message(reply, from))] : [] })
  const call = [send(the('d'), message(kind, from))]
  if (answers) call.push(taken(draft, undefined, reply, the('d')))
  if (client.count === undefined && draft.chance(0.5)) client.body.push(draft.times(draft.set(), undefined, ...call))
  else client.body.push(...call)
}

/** A server that asks another server before it answers, as Brisk's FIREWALL; or each of a set of them, as THEQUE. */
function forwardedCalls(draft: Draft): void {
  const [kind, reply, inner, answer] = [draft.kind(), draft.kind(), draft.kind(), draft.kind()]
  const client = draft.chance(0.7) ? draft.set() : draft.single()
  const asksMany = draft.chance(0.4)
  const behind = asksMany ? draft.server('t', draft.parameter('m')) : draft.server('b')
  behind.serves.push({ kind: inner, answer: [send(caller, message(answer))] })
  const asks = (whom: Expression) => [send(whom, message(inner, from)), receive(undefined, answer, whom)]
  const member = draft.fresh('e')
  const forwards = asksMany ? [each(member, 't', ...asks(variable(member)))] : asks(the('b'))
  draft.server('d').serves.push({ kind, answer: [...forwards, send(caller, message(reply))] })
  client.body.push(send(the('d'), message(kind, from)), receive(undefined, reply))
}

/** From one process through the members to another one, whose address travels with the message. */
function pipeline(draft: Draft): void {
  const [p, set] = [draft.single(), draft.set()]
  const [m, first, second] = [draft.single(p), draft.kind(), draft.kind()]
  const [member, got] = [draft.fresh('e'), draft.fresh('v')]
  p.body.push(each(member, set.name, send(variable(member), message(first, { to: the(m.name) }))))
  set.body.push(
    receive(got, first),
    send(draft.chance(0.5) ? field(variable(got), 'to') : the(m.name), message(second, from)),
  )
  m.body.push(draft.times(set, undefined, receive(undefined, second)))
}

/** Work for any of the workers, which serve for ever. */
function pickedWorkers(draft: Draft): void {
  const [p, kind, reply, worker] = [draft.single(), draft.kind(), draft.kind(), draft.fresh('w')]
  const workers = draft.server('w', draft.parameter('m', draft.chance(0.8) ? 1 : 0))
  const answers = draft.chance(0.7)
  workers.serves.push({ kind, answer: answers ? [send(caller, message(reply, from))] : [] })
  const work = [pick(worker, 'w'), send(variable(worker), message(kind, from))]
  if (answers) work.push(taken(draft, undefined, reply, variable(worker)))
  p.body.push(draft.chance(0.7) ? repeat(draft.fresh('i'), draft.parameter('k'), ...work) : when(literal(true), work))
}

/** Brisk's WORKSTEAL, and MAPREDUCE when results are collected. */
function workQueue(draft: Draft): void {
  const [queue, set] = [draft.single(), draft.set()]
  const [request, work, result] = [draft.kind(), draft.kind(), draft.kind()]
  const [asked, given, times] = [draft.fresh('v'), draft.fresh('v'), draft.parameter('k')]
  const hands = (what: string) => [
    receive(asked, request),
    send(field(variable(asked), 'from'), message(work, { what: literal(what) })),
  ]
  const collects = draft.chance(0.4)
  const master = collects ? draft.single(queue) : undefined
  const results = master === undefined ? [] : [send(the(master.name), message(result))]
  queue.body.push(repeat(draft.fresh('i'), times, ...hands('work')), draft.times(set, undefined, ...hands('term')))
  set.body.push(
    forEver(
      send(the(queue.name), message(request, from)),
      receive(given, work),
      when(equals(field(variable(given), 'what'), literal('work')), [...results, again], [leave]),
    ),
  )
  // Work is for those who ask: with nobody to ask, the queue waits for ever.
  draft.parameter('n', draft.chance(0.8) ? 1 : 0)
  master?.body.push(repeat(undefined, times, receive(undefined, result)))
}

/** One chooses, the others are told, and both do what the choice says. */
function agreedBranch(draft: Draft): void {
  const [p, chosen, told, kind] = [draft.single(), draft.fresh('c'), draft.fresh('v'), draft.kind()]
  const partner = draft.chance(0.5) ? draft.set() : draft.single(p)
  const [yes, no] = [draft.kind(), draft.chance(0.3) ? undefined : draft.kind()]
  const decision = draft.chance(0.75)
    ? choose(chosen, literal('yes'), literal('no'))
    : assign(chosen, either(opaque(draft.fresh('f')), literal('yes'), literal('no')))
  const isYes = (value: Expression) => equals(value, literal('yes'))
  const member = draft.fresh('e')
  const toPartner = (...body: readonly Statement[]) =>
    partner.count === undefined ? body : [each(member, partner.name, ...body)]
  const partnerIs = partner.count === undefined ? the(partner.name) : variable(member)
  const takes = (reply: string | undefined) =>
    reply === undefined ? [] : toPartner(receive(undefined, reply, partnerIs))
  const sends = (reply: string | undefined) => (reply === undefined ? [] : [send(the(p.name), message(reply))])
  p.body.push(
    decision,
    ...toPartner(send(partnerIs, message(kind, { what: variable(chosen) }))),
    when(isYes(variable(chosen)), takes(yes), takes(no)),
  )
  partner.body.push(receive(told, kind), when(isYes(field(variable(told), 'what')), sends(yes), sends(no)))
}

/** Members choose, one process counts, and may tell them the outcome. */
function votes(draft: Draft): void {
  const [p, set, vote, outcome] = [draft.single(), draft.set(), draft.kind(), draft.kind()]
  const [mine, yes, got, member] = [draft.fresh('c'), draft.fresh('n'), draft.fresh('v'), draft.fresh('e')]
  set.body.push(
    choose(mine, literal(true), literal(false)),
    send(the(p.name), message(vote, { accept: variable(mine) })),
  )
  const counted = either(field(variable(got), 'accept'), literal(1), literal(0))
  p.body.push(
    assign(yes, literal(0)),
    draft.times(set, undefined, receive(got, vote), assign(yes, binary(variable(yes), '+', counted))),
  )
  if (draft.chance(0.5)) return
  const tell = (what: string) =>
    each(member, set.name, send(variable(member), message(outcome, { what: literal(what) })))
  p.body.push(when(binary(variable(yes), '>', literal(0)), [tell('commit')], [tell('abort')]))
  set.body.push(receive(undefined, outcome))
}

/** For each member of one set, every member of another. */
function nested(draft: Draft): void {
  const [p, kind, reply] = [draft.single(), draft.kind(), draft.kind()]
  const outer = draft.set()
  const inner = draft.set(outer)
  const member = draft.fresh('e')
  const talks = [send(variable(member), message(kind, from)), receive(undefined, reply, variable(member))]
  p.body.push(draft.times(outer, undefined, each(member, inner.name, ...talks)))
  const asked = draft.fresh('v')
  const answers = [receive(asked, kind), send(back(draft, asked, p), message(reply))]
  inner.body.push(draft.times(outer, undefined, ...answers))
}

/** Two processes that count alike. */
function counted(draft: Draft): void {
  const [p, kind, reply] = [draft.single(), draft.kind(), draft.kind()]
  const [m, times] = [draft.single(p), draft.rounds('k')]
  const index = draft.fresh('i')
  const sends = [send(the(m.name), message(kind, { ...from, x: variable(index) }))]
  const takes = [taken(draft, draft.fresh('v'), kind, the(p.name))]
  if (draft.chance(0.5)) {
    sends.push(receive(undefined, reply, the(m.name)))
    takes.push(send(the(p.name), message(reply)))
  }
  p.body.push(repeat(index, times, ...sends))
  m.body.push(repeat(undefined, times, ...takes))
}

function exchange(draft: Draft): void {
  const [p, ping, pong] = [draft.single(), draft.kind(), draft.kind()]
  const [m, got] = [draft.single(p), draft.fresh('v')]
  p.body.push(send(the(m.name), message(ping, from)))
  m.body.push(taken(draft, got, ping, the(p.name)), send(back(draft, got, p), message(pong)))
  p.body.push(taken(draft, undefined, pong, the(m.name)))
}

/** What is sent depends on what an earlier round assigned; both kinds are awaited, so all is well. */
function remembered(draft: Draft): void {
  const [p, set, first, later] = [draft.single(), draft.set(), draft.kind(), draft.kind()]
  const [member, seen] = [draft.fresh('e'), draft.fresh('t')]
  // One in three assigns what it already was: then only the first kind is ever sent.
  const isKept = draft.chance(0.33)
  p.body.push(
    assign(seen, literal(0)),
    each(
      member,
      set.name,
      when(
        equals(variable(seen), literal(0)),
        [send(variable(member), message(first))],
        [send(variable(member), message(later))],
      ),
      assign(seen, literal(isKept ? 0 : 1)),
    ),
  )
  set.body.push(receive(undefined, isKept ? first : [first, later]))
}

/** What a message carries is what the receiver relies on. */
function checkedData(draft: Draft): void {
  const [p, kind, got] = [draft.single(), draft.kind(), draft.fresh('v')]
  const partner = draft.chance(0.5) ? draft.set() : draft.single(p)
  const carried = draft.random.below(2)
  partner.body.push(send(the(p.name), message(kind, { x: literal(carried) })))
  const checks = [receive(got, kind), assert(equals(field(variable(got), 'x'), literal(carried)), 'as sent')]
  if (partner.count === undefined) p.body.push(...checks)
  else p.body.push(draft.times(partner, undefined, ...checks))
}

/** Clients that call until they have had enough: two rounds at most, so that executions end. */
function clientLoop(draft: Draft): void {
  const [kind, reply, rounds, more] = [draft.kind(), draft.kind(), draft.fresh('n'), draft.fresh('c')]
  const client = draft.chance(0.6) ? draft.set() : draft.single()
  draft.server('d').serves.push({ kind, answer: [send(caller, message(reply))] })
  client.body.push(
    assign(rounds, literal(0)),
    forEver(
      choose(more, literal(true), literal(false)),
      when(binary(variable(rounds), '>=', literal(1)), [leave]),
      when(variable(more), [], [leave]),
      send(the('d'), message(kind, from)),
      receive(undefined, reply),
      assign(rounds, binary(variable(rounds), '+', literal(1))),
    ),
  )
}
