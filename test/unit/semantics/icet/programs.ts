/**
 * Programs of "Verifying Distributed Programs via Canonical Sequentialization" (§2 and §6) as terms, and what goes wrong when
 * one line of them is changed. Each program is a function of its bodies, so that a change is visible as one.
 */
import type { Icet, Statement } from '../../../../src/program/icet.ts'
import {
  again,
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
  many,
  message,
  one,
  param,
  receive,
  repeat,
  self,
  send,
  size,
  term,
  the,
  variable,
  when,
} from '../../../agreement/icet-build.ts'

const me = { from: self }
const sender = (name: string) => field(variable(name), 'from')

/** EX2: a loop that greets each member and waits for its answer. */
export function ex2(
  change: { readonly loop?: readonly Statement[]; readonly member?: readonly Statement[] } = {},
): Icet {
  const loop = change.loop ?? [send(variable('q'), message('ping', me)), receive('w', 'pong', variable('q'))]
  const member = change.member ?? [receive('v', 'ping'), send(sender('v'), message('pong'))]
  return term('ex2', ['n'], one('p', each('q', 'q', ...loop)), many('q', param('n'), ...member))
}

/** EX3: first all greetings, then all answers. */
export function ex3(change: { readonly p?: readonly Statement[]; readonly member?: readonly Statement[] } = {}): Icet {
  const p = change.p ?? [ex3Greets, each('q', 'q', receive('w', 'pong'))]
  const member = change.member ?? [receive('v', 'ping'), send(sender('v'), message('pong'))]
  return term('ex3', ['n', 'k'], one('p', ...p), many('q', param('n'), ...member))
}

export const ex3Greets = each('q', 'q', send(variable('q'), message('ping', me)))

/** PINGSYM: members introduce themselves and are answered. */
export function pingSym(answered: Parameters<typeof send>[0] = sender('id')): Icet {
  return term(
    'ping sym',
    ['n'],
    one('p', each('q', 'q', receive('id', 'pid'), send(answered, message('ping')))),
    many('q', param('n'), send(the('p'), message('pid', me)), receive('v', 'ping')),
  )
}

/** PINGSYM2: a second process collects; initialisation comes first, or, as the authors once wrote it, last. */
export function pingSym2(initialised: 'first' | 'last', collector = 'm2'): Icet {
  const initialises = each('q', 'q', send(variable('q'), message('init', { to: the(collector) })))
  const answers = each('q', 'q', receive('id', 'm1'), send(sender('id'), message('pid')))
  return term(
    'ping sym 2',
    ['n'],
    one('m1', ...(initialised === 'first' ? [initialises, answers] : [answers, initialises])),
    one('m2', repeat(undefined, param('n'), receive('w', 'm2'))),
    many(
      'q',
      param('n'),
      receive('i', 'init'),
      send(the('m1'), message('m1', me)),
      receive(undefined, 'pid'),
      send(field(variable('i'), 'to'), message('m2')),
    ),
  )
}

/** LOCKSERVER: one client at a time. */
export function lockServer(
  change: { readonly server?: readonly Statement[]; readonly client?: readonly Statement[] } = {},
): Icet {
  const server = change.server ?? [
    receive('p', 'lock'),
    send(sender('p'), message('ack')),
    receive(undefined, 'unlock', sender('p')),
  ]
  const client = change.client ?? [
    send(the('server'), message('lock', me)),
    receive(undefined, 'ack'),
    send(the('server'), message('unlock')),
  ]
  return term(
    'lock server',
    ['n'],
    one('server', each('c', 'client', ...server)),
    many('client', param('n'), ...client),
  )
}

interface MapReduceChange {
  readonly noWork?: boolean
  readonly noTerm?: boolean
  /** Where mappers send a result. */
  readonly results?: 'with work' | 'at the end' | 'never'
  readonly noReduce?: boolean
}

/** MAPREDUCE: k pieces of work for n mappers, then one termination message each. */
export function mapReduce({ noWork, noTerm, results = 'with work', noReduce }: MapReduceChange = {}): Icet {
  const result = (when: MapReduceChange['results']) =>
    results === when ? [send(the('master'), message('result'))] : []
  const hands = (kind: string) => [
    receive('id', 'request'),
    send(sender('id'), message('work', { what: literal(kind) })),
  ]
  return term(
    'map reduce',
    ['n', 'k'],
    one('master', ...(noReduce ? [] : [repeat(undefined, param('k'), receive('r', 'result'))])),
    one(
      'queue',
      ...(noWork ? [] : [repeat('i', param('k'), ...hands('work'))]),
      ...(noTerm ? [] : [each('m', 'mapper', ...hands('term'))]),
    ),
    many(
      'mapper',
      param('n'),
      forEver(
        send(the('queue'), message('request', me)),
        receive('w', 'work'),
        when(
          equals(field(variable('w'), 'what'), literal('work')),
          [...result('with work'), again],
          [...result('at the end'), leave],
        ),
      ),
    ),
  )
}

interface CommitChange {
  /** Votes that are sent, for a vote to accept and one to reject. */
  readonly silentReject?: boolean
  readonly silentAbort?: boolean
  readonly acceptor?: 'acknowledges' | 'does not acknowledge'
  readonly acknowledgements?: readonly Statement[]
}

/** 2PCOMMIT: query, votes, decision, acknowledgements. */
export function twoPhaseCommit(change: CommitChange = {}): Icet {
  const vote = send(sender('q'), message('vote', { accept: variable('vote') }))
  const decide = (what: string) =>
    each('a', 'a', send(variable('a'), message('decision', { what: literal(what), ...me })))
  const commits = binary(variable('yes'), '===', size('n'))
  return term(
    'two phase commit',
    ['n'],
    one(
      'c',
      each('a', 'a', send(variable('a'), message('query', me))),
      assign('yes', literal(0)),
      each(
        'a',
        'a',
        receive('r', 'vote'),
        assign('yes', binary(variable('yes'), '+', either(field(variable('r'), 'accept'), literal(1), literal(0)))),
      ),
      when(commits, [decide('commit')], change.silentAbort ? [] : [decide('rollback')]),
      ...(change.acknowledgements ?? [each('a', 'a', receive(undefined, 'ack'))]),
    ),
    many(
      'a',
      param('n'),
      receive('q', 'query'),
      choose('vote', literal(true), literal(false)),
      change.silentReject ? when(variable('vote'), [vote]) : vote,
      receive('d', 'decision'),
      ...(change.acceptor === 'does not acknowledge' ? [] : [send(sender('d'), message('ack'))]),
    ),
  )
}
