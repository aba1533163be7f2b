/**
 * What consumers of a queue may see, by trying everything that may happen next: somebody sends or asks, the queue hands a message out,
 * a consumer settles it, crashes, or is found to be gone. Written from what the guide says of queues, and naively: the queue is a list
 * that is copied at every step, and nothing here knows of messages between processes.
 */
import type { QueueScene } from './queue-scenes.ts'

interface Letter {
  readonly body: number
  readonly attempt: number
}

interface Consumer {
  /** Steps of the script that are done in this life. */
  readonly done: number
  /** It waits for a message, or has one in hand that its script will settle. */
  readonly is: 'between' | 'asking' | 'holding' | 'gone'
  readonly hasActed: boolean
  readonly holds: Letter | undefined
  readonly seen: readonly string[]
}

/** Requests and messages of a life that is over and that the queue does not know to be over. */
interface Ghost {
  readonly of: number
  readonly isAsking: boolean
  readonly kept: readonly Letter[]
}

interface State {
  readonly sent: readonly number[]
  readonly queue: readonly Letter[]
  readonly dead: readonly number[]
  readonly consumers: readonly Consumer[]
  /** By consumer, what was taken and not settled in this life. */
  readonly kept: readonly (readonly Letter[])[]
  readonly ghosts: readonly Ghost[]
  readonly left: {
    readonly crashes: number
    readonly restarts: number
    readonly losses: number
    readonly duplicates: number
  }
}

export function allThatMayBeSeen(scene: QueueScene): ReadonlySet<string> {
  const found = new Set<string>()
  const known = new Set<string>()
  const ahead = [begun(scene)]
  for (let state = ahead.pop(); state !== undefined; state = ahead.pop()) {
    const text = JSON.stringify(state)
    if (known.has(text)) continue
    known.add(text)
    const { must, may } = nextOf(scene, state)
    if (must.length === 0) found.add(state.consumers.map(({ seen }) => seen.join(' ')).join(' | '))
    ahead.push(...must, ...may)
  }
  return found
}

function begun({ senders, consumers, faults }: QueueScene): State {
  const { crashes = 0, restarts = 0, duplicates = 0, losses = 0 } = faults
  return {
    sent: senders.map(() => 0),
    queue: [],
    dead: [],
    consumers: consumers.map(() => newLife([])),
    kept: consumers.map(() => []),
    ghosts: [],
    left: { crashes, restarts, duplicates, losses: losses as number },
  }
}

function newLife(seen: readonly string[]): Consumer {
  return { done: 0, is: 'between', hasActed: false, holds: undefined, seen }
}

/** Faults alone may be left out. */
function nextOf(scene: QueueScene, state: State): { must: State[]; may: State[] } {
  const must = [...sendings(scene, state), ...handings(scene, state), ...ghostsFound(scene, state)]
  const may = [...troubles(scene, state)]
  for (const at of state.consumers.keys()) {
    must.push(...actions(scene, state, at))
    may.push(...crashes(scene, state, at))
  }
  return { must, may }
}

function sendings({ senders }: QueueScene, state: State): State[] {
  return senders.flatMap((bodies, sender) => {
    const body = bodies[state.sent[sender] as number]
    if (body === undefined) return []
    return [{ ...state, sent: raised(state.sent, sender), queue: [...state.queue, { body, attempt: 1 }] }]
  })
}

/** A message is lost, or sent as one that comes once more: the second time is a sending of its own. */
function troubles({ senders, delivery }: QueueScene, state: State): State[] {
  const { left } = state
  return senders.flatMap((bodies, sender) => {
    const body = bodies[state.sent[sender] as number]
    if (body === undefined) return []
    if (delivery === 'at most once') {
      if (left.losses === 0) return []
      return [{ ...state, sent: raised(state.sent, sender), left: { ...left, losses: left.losses - 1 } }]
    }
    if (left.duplicates === 0) return []
    const queue = [...state.queue, { body, attempt: 1 }]
    return [{ ...state, queue, left: { ...left, duplicates: left.duplicates - 1 } }]
  })
}

/** What the queue gives, and to whom. */
function handings({ order, delivery, consumers: scripts }: QueueScene, state: State): State[] {
  const given = order === 'fifo' ? state.queue.slice(0, 1) : state.queue
  return given.flatMap((letter, at) => {
    const queue = state.queue.toSpliced(at, 1)
    const isKept = delivery === 'at least once'
    const toLiving = state.consumers.flatMap((consumer, to): State[] => {
      // A process is served in the order in which it has asked, also where it has begun again since.
      if (consumer.is !== 'asking' || state.ghosts.some(({ of, isAsking }) => of === to && isAsking)) return []
      const seen = [...consumer.seen, `${letter.body}.${letter.attempt}`]
      const isLeft = scripts[to]?.[consumer.done] === 'leave'
      const holding: Consumer = isLeft
        ? { ...consumer, is: 'between', done: consumer.done + 1, seen }
        : { ...consumer, is: 'holding', holds: letter, seen }
      const kept = isKept ? state.kept.with(to, [...(state.kept[to] ?? []), letter]) : state.kept
      return [{ ...state, queue, consumers: state.consumers.with(to, holding), kept }]
    })
    const toGhosts = state.ghosts.flatMap((ghost, to): State[] => {
      if (!ghost.isAsking) return []
      const kept = isKept ? [...ghost.kept, letter] : []
      return [{ ...state, queue, ghosts: state.ghosts.with(to, { ...ghost, isAsking: false, kept }) }]
    })
    return [...toLiving, ...toGhosts]
  })
}

/** Asking, and what is done with a message. */
function actions(scene: QueueScene, state: State, at: number): State[] {
  const consumer = state.consumers[at] as Consumer
  const step = scene.consumers[at]?.[consumer.done]
  const becomes = (next: Partial<Consumer>, more: Partial<State> = {}): State[] => [
    { ...state, ...more, consumers: state.consumers.with(at, { ...consumer, hasActed: true, ...next }) },
  ]
  if (consumer.is === 'holding') {
    const letter = consumer.holds as Letter
    const rest = { is: 'between', holds: undefined, done: consumer.done + 1 } as const
    const kept = state.kept.with(at, without(state.kept[at] ?? [], letter))
    return becomes(
      rest,
      step === 'reject' ? { kept, ...returned(scene, state, [letter], state.queue.length) } : { kept },
    )
  }
  if (consumer.is !== 'between' || step === undefined) return []
  if (step !== 'dead letters') return becomes({ is: 'asking' })
  const seen = [...consumer.seen, `dead:${[...state.dead].sort().join()}`]
  return becomes({ done: consumer.done + 1, seen })
}

function crashes(scene: QueueScene, state: State, at: number): State[] {
  const consumer = state.consumers[at] as Consumer
  const { crashes: left, restarts } = state.left
  if (left === 0 || consumer.is === 'gone') return []
  const ghost: Ghost = { of: at, isAsking: consumer.is === 'asking', kept: state.kept[at] ?? [] }
  const after = { ...state, ghosts: [...state.ghosts, ghost], kept: state.kept.with(at, []) }
  const isDone = consumer.is === 'between' && consumer.done === scene.consumers[at]?.length
  const hasEnded = isDone && ghost.kept.length === 0
  const gone: Consumer = { ...consumer, is: 'gone', holds: undefined, seen: [...consumer.seen, 'gone'] }
  const again = newLife([...consumer.seen, 'again'])
  return [
    // Nobody can tell that a process which has done everything has crashed, unless it does it again.
    ...(hasEnded
      ? []
      : [{ ...after, consumers: after.consumers.with(at, gone), left: { ...state.left, crashes: left - 1 } }]),
    ...(restarts > 0 && consumer.hasActed
      ? [
          {
            ...after,
            consumers: after.consumers.with(at, again),
            left: { ...state.left, crashes: left - 1, restarts: restarts - 1 },
          },
        ]
      : []),
  ]
}

/** The queue learns that somebody is gone: what was kept comes again, in one go and at any place. */
function ghostsFound(scene: QueueScene, state: State): State[] {
  return state.ghosts.flatMap(({ kept }, at) => {
    const without = { ...state, ghosts: state.ghosts.toSpliced(at, 1) }
    return Array.from({ length: state.queue.length + 1 }, (_, place) => ({
      ...without,
      ...returned(scene, state, kept, place),
    }))
  })
}

function returned({ attempts }: QueueScene, { queue, dead }: State, letters: readonly Letter[], place: number) {
  const again = letters.filter(({ attempt }) => attempt < attempts)
  const buried = letters.filter(({ attempt }) => attempt >= attempts).map(({ body }) => body)
  const raisedOnes = again.map(({ body, attempt }) => ({ body, attempt: attempt + 1 }))
  return { queue: queue.toSpliced(place, 0, ...raisedOnes), dead: [...dead, ...buried] }
}

function without(letters: readonly Letter[], letter: Letter): readonly Letter[] {
  const at = letters.findIndex(({ body, attempt }) => body === letter.body && attempt === letter.attempt)
  return letters.toSpliced(at, 1)
}

function raised(counts: readonly number[], at: number): readonly number[] {
  return counts.with(at, (counts[at] as number) + 1)
}
