/**
 * Endpoints over HTTP. A request may get lost on its way, and a response on its way back, as often as there are `losses` in the budget
 * of faults: who asked learns of neither, and what the request has done stays done. Requests overtake each other.
 *
 * The server is an async process: a handler that waits lets others begin, as in Node.
 */
import { CompositeOperation, losable, Operation } from '../../../core/operation.ts'
import {
  checkNoMore,
  checkShape,
  isFunction,
  isPlainObject,
  needed,
  type Shapes,
  shapes,
  shown,
} from '../../../core/option-shape.ts'
import { mistake, running } from '../../../core/running.ts'
import { takingOnly } from '../../../core/taking-only.ts'
import { Address, freezeValue, type Value } from '../../../core/value.ts'
import { clearTimer, startTimeout } from '../../../jobs/host/timers.ts'
import { core } from '../../../jobs/promise-core.ts'
import { awaited, wrapped } from '../../coroutine.ts'
import { describe } from '../../describe.ts'
import { notAValue, self, sendMarked } from '../../process.ts'
import { freeMark, type Mark, ReplyFilter } from '../../replies.ts'
import { created, Handle, type Steps, withoutPlace } from '../../shared/protocol.ts'
import { pendingHere } from '../pending.ts'

export interface HttpRequest {
  /** `POST /charges`. */
  readonly route: string
  readonly body: Value
  readonly headers: { readonly [name: string]: string }
}

export interface HttpResponse {
  readonly status: number
  readonly body?: Value
}

export type HttpHandler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>

export interface HttpOptions {
  /** Makes the handlers, and what they keep: by method and path, such as `POST /charges`. */
  readonly routes: () => { readonly [route: string]: HttpHandler }
  /** As reports call it. */
  readonly name?: string
}

const httpShapes: Shapes<HttpOptions> = { routes: needed(shapes.func), name: shapes.text }

export interface HttpAsking {
  readonly headers?: { readonly [name: string]: string }
  /** Rejected after so many milliseconds. Without it a response that got lost is waited for, for ever. */
  readonly timeout?: number
  /** How often it is asked again after a timeout. */
  readonly retries?: number
}

const askingShapes: Shapes<HttpAsking> = {
  headers: shapes.record,
  timeout: shapes.count,
  retries: shapes.integer,
}

/** No response has come in time: whether the request has done anything is not known. */
export class HttpTimeout extends Error {
  override readonly name = 'HttpTimeout'
  readonly code = 'ETIMEDOUT'
}

/** A handle: it may be an argument of a process, and a part of a message. */
export class Endpoint extends Handle {
  get(path: string, options?: HttpAsking): CompositeOperation<HttpResponse> {
    return this.request(`GET ${path}`, undefined, options)
  }

  post(path: string, body?: Value, options?: HttpAsking): CompositeOperation<HttpResponse> {
    return this.request(`POST ${path}`, body, options)
  }

  put(path: string, body?: Value, options?: HttpAsking): CompositeOperation<HttpResponse> {
    return this.request(`PUT ${path}`, body, options)
  }

  delete(path: string, options?: HttpAsking): CompositeOperation<HttpResponse> {
    return this.request(`DELETE ${path}`, undefined, options)
  }

  /** Asks, and gives the response; `route` is a method and a path, such as `PATCH /orders/1`. */
  request(route: string, body?: Value, options: HttpAsking = {}): CompositeOperation<HttpResponse> {
    const wrong = routeProblem(route)
    if (wrong !== undefined) refuseRoute(`the request ${shown(route)} ${wrong}`)
    checkShape(options, askingShapes, { of: `the request ${shown(route)}` })
    const problem = freezeValue(body)
    if (problem !== undefined) notAValue('the body', problem)
    const { headers = {}, timeout, retries = 0 } = options
    const isAsync = running.async !== undefined || running.process === undefined
    if (!isAsync && timeout !== undefined) refuseGenerator()
    if (retries > 0 && timeout === undefined) refuseRetries()
    const endpoint = this
    return new CompositeOperation(`http ${route}`, function* (): Steps<HttpResponse> {
      for (let left = retries; ; left--) {
        const sent = { kind: kindOf(route), body, headers, route }
        const response = yield* exchange(endpoint, sent, timeout)
        if (response !== undefined) return response
        if (left === 0) throw new HttpTimeout(`${route} of "${endpoint.id}" got no response within ${timeout} ms`)
      }
    })
  }
}

takingOnly(Endpoint, 'endpoint', {
  get: 'path, options',
  post: 'path, body, options',
  put: 'path, body, options',
  delete: 'path, options',
  request: 'route, body, options',
})

interface Sent {
  readonly kind: string
  readonly route: string
  readonly body: Value
  readonly headers: { readonly [name: string]: string }
}

interface Received extends Sent {
  readonly from: Address<unknown>
  /** What the response bears; called otherwise than there, because handlers that ask wait for replies of their own with the same mark. */
  readonly asked: Mark
}

/** As a word, which reports show before the rest. */
function kindOf(route: string): string {
  return route.replace(/[^\w]+/g, '.').replace(/\.$/, '')
}

/** A connection of its own: nothing is known of the order of requests. */
const way = { network: 'bag', mark: losable } as const

/**
 * Nothing if no response comes in time. The receive stays: it takes the response that comes too late, which no other question may take
 * for its own.
 */
function* exchange(server: Endpoint, sent: Sent, timeout: number | undefined): Steps<HttpResponse | undefined> {
  const { reply, release } = freeMark()
  const from = yield* self()
  yield* sendMarked(Address.of(server.id), { ...sent, from, asked: reply }, way)
  const filter = new ReplyFilter(`the response of "${server.id}" to ${sent.route}`, reply, true)
  const receiving = new Operation<{ readonly value: HttpResponse }>('receive', undefined, undefined, filter, undefined)
  if (timeout === undefined) {
    const { value } = yield* receiving
    release()
    return value
  }
  running.clocked = true
  const settled = pendingHere()
  receiving.then(({ value }) => {
    release()
    core.resolve(settled, value)
  })
  const timer = startTimeout(() => core.resolve(settled, undefined), timeout)
  const response = yield* awaited(settled) as Steps<HttpResponse | undefined>
  clearTimer(timer)
  return response
}

/** Starts an endpoint. */
export function http(options: HttpOptions): CompositeOperation<Endpoint>
export function http(options: HttpOptions, ...extra: readonly unknown[]): CompositeOperation<Endpoint> {
  checkNoMore(extra, 'http(options)')
  checkShape(options, httpShapes, { of: 'http(…)' })
  const { routes, name = 'http' } = options
  started.set(routes, new Error())
  return created(Endpoint, name, serve as (routes: HttpOptions['routes']) => Steps<void>, routes)
}

/** As the front end would have it of an async function. */
const serve = wrapped(function* (routes: HttpOptions['routes']) {
  const { id } = (yield* awaited(self()) as Steps<unknown>) as Address<never>
  running.assumed.push(
    `endpoint "${id}" loses as many requests and responses as there are losses in the budget of faults`,
  )
  const handlers = routes()
  checkRoutes(routes, handlers)
  for (;;) {
    const request = new Operation<Received>('receive', undefined, undefined, undefined, undefined)
    void respond(handlers, (yield* awaited(request) as Steps<unknown>) as Received)
  }
} as never) as unknown

const respond = wrapped(function* (handlers: ReturnType<HttpOptions['routes']>, request: Received) {
  const { route, body, headers, from, asked: reply } = request
  const handler = Object.hasOwn(handlers, route) ? handlers[route] : undefined
  let value: HttpResponse = { status: 404 }
  try {
    if (handler !== undefined)
      value = (yield* awaited(handler({ route, body, headers })) as Steps<unknown>) as HttpResponse
  } catch (error) {
    // As frameworks do it.
    value = { status: 500, body: error instanceof Error ? error.message : String(error) }
  }
  if (!isPlainObject(value) || !Number.isSafeInteger(value.status)) refuseResponse(route, value)
  yield* awaited(withoutPlace(sendMarked(from, { kind: `${value.status}`, value, reply }, way))) as Steps<unknown>
} as never) as (handlers: ReturnType<HttpOptions['routes']>, request: Received) => unknown

/** Where endpoints were started, by what makes their handlers: it is called in a process of its own. */
const started = new WeakMap<HttpOptions['routes'], Error>()

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

function checkRoutes(routes: HttpOptions['routes'], handlers: unknown): void {
  const at = started.get(routes)?.stack
  if (!isPlainObject(handlers)) refuseRoute(`the routes of http() are ${describe(handlers)}`, at)
  for (const [route, handler] of Object.entries(handlers as object)) {
    const wrong = routeProblem(route)
    if (wrong !== undefined) refuseRoute(`the route ${shown(route)} ${wrong}`, at)
    if (!isFunction(handler)) refuseRoute(`the handler of ${shown(route)} is ${describe(handler)}`, at)
  }
}

/** What it does wrong, in words: there is no request that could come to it. */
function routeProblem(route: unknown): string | undefined {
  if (typeof route !== 'string') return 'is no text'
  const [method = '', path, ...more] = route.split(' ')
  if (path === undefined || more.length > 0) return 'is not a method and a path'
  if (!methods.includes(method)) return `has the method ${shown(method)}, and methods are ${methods.join(', ')}`
  return path.startsWith('/') ? undefined : `has the path ${shown(path)}, which does not begin with /`
}

function refuseRoute(message: string, stack?: string): never {
  const hint =
    "give handlers by method and path: routes: () => ({ 'POST /charges': async ({ body }) => ({ status: 201 }) })"
  return mistake({ code: 'E220', message, hint, ...(stack === undefined ? {} : { stack }) })
}

function refuseResponse(route: string, found: unknown): never {
  return mistake({
    code: 'E220',
    message: `the handler of ${route} gave ${describe(found)}`,
    hint: 'give a response: { status: 200, body }',
  })
}

function refuseGenerator(): never {
  return mistake({
    code: 'E220',
    message: 'a request with a timeout was made in a generator, which has no timers',
    hint: 'make the process an async function',
  })
}

function refuseRetries(): never {
  return mistake({
    code: 'E220',
    message: 'a request has retries and no timeout, so nothing would tell it to try again',
    hint: 'give { timeout: 1000, retries: 2 }',
  })
}
