/**
 * What clients of an endpoint may be answered, by trying everything that may happen next: somebody asks, a request is done, a response
 * comes, a client gives up, and each message is lost or not. Written from what the guide says of endpoints, and naively: the state is
 * copied at every step, and nothing here knows of processes or promises.
 */
import type { HttpScene } from './http-scenes.ts'

/** Of which client, and which of its attempts. */
interface Attempt {
  readonly client: number
  readonly number: number
}

interface Client {
  readonly answers: readonly string[]
  /** How often it has asked, for whatever. */
  readonly asked: number
  /** Of the request that it waits for. */
  readonly left: number | undefined
  readonly isWaiting: boolean
}

interface State {
  readonly done: string
  readonly clients: readonly Client[]
  readonly requests: readonly (Attempt & { readonly id: string })[]
  readonly responses: readonly (Attempt & { readonly body: string })[]
  readonly losses: number
}

export function allThatMayBeAnswered(scene: HttpScene): ReadonlySet<string> {
  const found = new Set<string>()
  const known = new Set<string>()
  const clients = scene.clients.map(() => ({ answers: [], asked: 0, left: undefined, isWaiting: false }))
  const ahead: State[] = [{ done: '', clients, requests: [], responses: [], losses: scene.losses }]
  for (let state = ahead.pop(); state !== undefined; state = ahead.pop()) {
    const text = JSON.stringify(state)
    if (known.has(text)) continue
    known.add(text)
    const next = nextOf(scene, state)
    if (next.length === 0) found.add(seen(scene, state))
    ahead.push(...next)
  }
  return found
}

function nextOf(scene: HttpScene, state: State): readonly State[] {
  const { clients, requests, responses } = state
  const acting = clients.flatMap((client, at) => {
    const asking = scene.clients[at]?.[client.answers.length]
    if (asking === undefined) return []
    if (!client.isWaiting) return asks(state, at, { ...client, left: asking.retries }, asking.id)
    // Whoever waits for ever does not give up.
    if (client.left === undefined) return []
    if (client.left > 0) return asks(state, at, { ...client, left: client.left - 1 }, asking.id)
    return [answered(state, at, 'late')]
  })
  const served = requests.flatMap((request, at) => {
    const done = state.done + request.id
    const after = { ...state, done, requests: requests.toSpliced(at, 1) }
    const response = { client: request.client, number: request.number, body: done }
    return lostOrNot(after, (to) => ({ ...to, responses: [...to.responses, response] }))
  })
  const come = responses.map((response, at) => {
    const after = { ...state, responses: responses.toSpliced(at, 1) }
    const client = clients[response.client] as Client
    // To one that has given up, it says nothing.
    const isAwaited = client.isWaiting && client.asked === response.number
    return isAwaited ? answered(after, response.client, response.body) : after
  })
  return [...acting, ...served, ...come]
}

function asks(state: State, at: number, client: Client, id: string): readonly State[] {
  const asked = client.asked + 1
  const after = { ...state, clients: state.clients.with(at, { ...client, asked, isWaiting: true }) }
  return lostOrNot(after, (to) => ({ ...to, requests: [...to.requests, { client: at, number: asked, id }] }))
}

function lostOrNot(state: State, sent: (state: State) => State): readonly State[] {
  return state.losses === 0 ? [sent(state)] : [sent(state), { ...state, losses: state.losses - 1 }]
}

function answered(state: State, at: number, answer: string): State {
  const client = state.clients[at] as Client
  const after = { ...client, answers: [...client.answers, answer], isWaiting: false, left: undefined }
  return { ...state, clients: state.clients.with(at, after) }
}

function seen({ clients: scripts }: HttpScene, { clients }: State): string {
  return clients
    .map(({ answers }, at) => {
      const told = answers.join(' ')
      return answers.length < (scripts[at]?.length ?? 0) ? `${told} …`.trim() : told
    })
    .join(' | ')
}
