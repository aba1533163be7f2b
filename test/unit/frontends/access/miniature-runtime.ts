/**
 * A small stand-in for the runtime that rewritten code calls: it performs operations at once or lets them suspend, logs
 * what frames were answered, and re-executes a run from its log without performing anything.
 */
import { transformSync } from 'esbuild'
import { transformObjects } from '../../../../src/frontends/typescript/access/transform-objects.ts'

export interface OperationEvent {
  readonly name: string
  readonly site: number
  readonly live: readonly unknown[]
  readonly operands: readonly unknown[]
}

/** Position and live values of a frame. */
export interface FramePosition {
  readonly site: number
  readonly live: readonly unknown[]
}

export interface MiniatureOptions {
  /** Which operations suspend; those that must, do in any case. */
  readonly stops?: (event: OperationEvent) => boolean
  /** Instead of performing it; `undefined` performs. */
  readonly answers?: (event: OperationEvent) => { readonly value: unknown } | { readonly error: unknown } | undefined
  /** What was answered before, to be answered again. */
  readonly log?: FrameLog
  /** Rounds of loops. */
  readonly ticks?: number
}

type Entry =
  | { readonly kind: 'answer'; readonly value: unknown; readonly element?: unknown }
  | { readonly kind: 'throw'; readonly error: unknown }
  | { readonly kind: 'call'; readonly frame: FrameLog }

export class FrameLog {
  readonly entries: Entry[] = []
  position = 0
  at: FramePosition | undefined
  /** The call in which it waits. */
  child: FrameLog | undefined

  /** What a new execution is given. */
  copy(): FrameLog {
    const copy = new FrameLog()
    for (const entry of this.entries)
      copy.entries.push(entry.kind === 'call' ? { kind: 'call', frame: entry.frame.copy() } : entry)
    return copy
  }
}

type Gen = Generator<unknown, unknown, unknown>
type GenFunction = (...args: readonly unknown[]) => Gen
type Callable = (...args: readonly unknown[]) => unknown
type Thing = { [key: PropertyKey]: unknown }

interface Awaiting {
  readonly awaited: unknown
}

const stop = Symbol('stop')
const suspended = Symbol('suspended')

export class Miniature {
  readonly events: OperationEvent[] = []
  performed = 0
  facts: { file: string; functions: unknown[][]; sites: number[][]; assigned: string[] } | undefined
  shown: { [name: string]: string } = {}
  /** What closures and other objects have captured, and where they were made. */
  captured = new Map<unknown, { readonly site: number; readonly values: readonly unknown[] }>()
  readonly cells = new WeakSet<object>()
  roots: () => readonly unknown[] = () => []
  plain: { readonly name: string; readonly site: number; readonly key: unknown }[] = []
  /** Functions that refuse to be checked were called. */
  refused: { readonly site: number; readonly message: string }[] = []
  root = new FrameLog()
  /** Called at each suspension of a logged run. */
  onStop: () => void = () => {}
  #options: MiniatureOptions
  readonly #wrapped = new WeakMap<object, { readonly generator: GenFunction; readonly flags: number }>()
  readonly #symbols = new Map<string, symbol>()
  #frame: FrameLog | undefined
  #pending: (() => Gen) | undefined
  #ticks = 0

  constructor(options: MiniatureOptions = {}) {
    this.#options = options
  }

  /** For another run of the same module. */
  configure(options: MiniatureOptions): void {
    this.#options = options
    this.#ticks = 0
    this.events.length = 0
    this.performed = 0
    this.captured.clear()
  }

  /** Runs a synchronous function with a log, from which it can be re-executed up to the last suspension. */
  runLogged(
    callable: unknown,
    args: readonly unknown[] = [],
  ): { readonly returned?: unknown; readonly threw?: unknown } {
    this.root = this.#options.log?.copy() ?? new FrameLog()
    const generator = this.#generatorOf(callable, undefined, args)
    this.#frame = this.root
    try {
      for (;;) {
        const { done, value } = generator.next()
        if (done === true) return { returned: value }
        if (value === suspended) this.onStop()
      }
    } catch (error) {
      return { threw: error }
    } finally {
      this.#frame = undefined
    }
  }

  /** Positions of all frames, outermost first. */
  stack(): readonly FramePosition[] {
    const frames: FramePosition[] = []
    for (let frame: FrameLog | undefined = this.root; frame?.at !== undefined; frame = frame.child)
      frames.push(frame.at)
    return frames
  }

  readonly api = this.#createApi()

  #createApi(): Thing {
    const operation = (name: string, perform: (...operands: never[]) => Gen) => {
      return (site: number, live: readonly unknown[], ...operands: unknown[]): unknown =>
        this.#operate({ name, site, live, operands }, () => perform(...(operands as never[])))
    }
    const call = (f: unknown, self: unknown, args: readonly unknown[]) => this.#call(f, self, args)
    const awaitedCall = this.#awaitedCall.bind(this)
    return {
      stop,
      go: () => this.#go(),
      tick: () => {
        if (++this.#ticks > (this.#options.ticks ?? 100_000)) throw new Error('loops for ever')
      },
      module: (file: string, functions: unknown[][], sites: number[][], assigned: string[]) => {
        this.facts = { file, functions, sites, assigned }
        return 0
      },
      names: (shown: { [name: string]: string }) => {
        this.shown = shown
      },
      roots: (list: () => readonly unknown[]) => {
        this.roots = list
      },
      get: operation('get', (o: Thing, k: string) => this.#get(o, k)),
      set: operation('set', (o: Thing, k: string, v: unknown) => this.#set(o, k, v)),
      has: operation('has', function* (o: Thing, k: string) {
        return k in o
      }),
      del: operation('del', function* (o: Thing, k: string) {
        return Reflect.deleteProperty(o, k)
      }),
      call: operation('call', (f: unknown, args: unknown[]) => call(f, undefined, args)),
      invoke: operation('invoke', (o: Thing, k: string, args: unknown[]) => this.#invoke(o, k, args)),
      apply: operation('apply', (f: unknown, self: unknown, args: unknown[]) => call(f, self, args)),
      make: operation('make', (C: new (...args: unknown[]) => unknown, args: unknown[]) =>
        this.#inOneGo(() => new C(...args)),
      ),
      pause: operation('pause', function* (value: unknown) {
        return yield { awaited: value } satisfies Awaiting
      }),
      applyAwait: operation('applyAwait', (f: unknown, self: unknown, args: unknown[]) => awaitedCall(f, self, args)),
      callAwait: operation('callAwait', (f: unknown, args: unknown[]) => awaitedCall(f, undefined, args)),
      invokeAwait: operation('invokeAwait', (o: Thing, k: string, args: unknown[]) => awaitedCall(o[k], o, args)),
      ...this.#collections(operation),
      ...this.#creations(),
      plainGet: (site: number, o: Thing, k: string) => {
        this.plain.push({ name: 'get', site, key: k })
        return o[k]
      },
      plainSet: (site: number, o: Thing, k: string, v: unknown) => {
        this.plain.push({ name: 'set', site, key: k })
        o[k] = v
        return v
      },
      plainCall: (_site: number, f: Callable, args: unknown[]) => f(...args),
      plainInvoke: (_site: number, o: Thing, k: string, args: unknown[]) => (o[k] as Callable).apply(o, args),
      plainApply: (_site: number, f: Callable, self: unknown, args: unknown[]) => f.apply(self, args),
      plainDelete: (_site: number, o: Thing, k: string) => Reflect.deleteProperty(o, k),
      plainPlace: (_site: number, o: Thing, k: string) => ({
        set value(value: unknown) {
          o[k] = value
        },
      }),
      refused: (site: number, message: string, _hint: string, always: boolean) => {
        this.refused.push({ site, message })
        if (always) throw new Error(message)
      },
      getter: (name: PropertyKey) => this.#symbol(`get ${String(name)}`),
      setter: (name: PropertyKey) => this.#symbol(`set ${String(name)}`),
      runAccessor: (self: unknown, generator: GenFunction, args: unknown[]) =>
        this.#runNow(generator.apply(self, args)),
      ...this.#privates(),
    }
  }

  #privates(): Thing {
    const methods = new WeakMap<GenFunction, Callable>()
    const accessors = new WeakMap<object, Thing>()
    return {
      box: (_owner: object, key: string, value: unknown) => ({ [key]: value }),
      method: (generator: GenFunction, flags: number) => {
        const known = methods.get(generator) ?? this.#wrap(generator, flags, generator.name)
        methods.set(generator, known)
        return known
      },
      computed: (key: string, owner: object, get: GenFunction, set: GenFunction) => {
        const [read, write] = [() => get.apply(owner, []), (value: unknown) => set.apply(owner, [value])]
        const known = accessors.get(owner) ?? {}
        accessors.set(owner, known)
        known[key] ??= Object.create(null, {
          [this.#symbol(`get ${key}`)]: { value: read },
          [this.#symbol(`set ${key}`)]: { value: write },
          [key]: { get: () => this.#runNow(read()), set: (value) => this.#runNow(write(value)) },
        })
        return known[key]
      },
      given: (value: unknown) => value,
      promiseMade: (_: number, promise: unknown) => promise,
      stamped: (_site: number, object: unknown) => object,
    }
  }

  #collections(operation: (name: string, perform: (...operands: never[]) => Gen) => unknown): Thing {
    return {
      iterate: operation('iterate', function* (e: Iterable<unknown>) {
        return { native: e[Symbol.iterator](), value: undefined }
      }),
      iterateKeys: operation('iterateKeys', function* (e: object) {
        const keys: string[] = []
        for (const key in e) keys.push(key)
        return { native: keys[Symbol.iterator](), value: undefined }
      }),
      next: operation('next', function* (iterator: { native: Iterator<unknown>; value: unknown }) {
        const { done, value } = iterator.native.next()
        iterator.value = value
        return done !== true
      }),
      close: operation('close', function* (iterator: { native: Iterator<unknown> }, isThrown: boolean) {
        try {
          iterator.native.return?.()
        } catch (error) {
          if (!isThrown) throw error
        }
      }),
      spread: operation('spread', function* (e: Iterable<unknown>) {
        return [...e]
      }),
      spreadObject: operation('spreadObject', function* (e: object) {
        return { ...e }
      }),
      pick: operation('pick', function* (e: Thing, keys: readonly string[], hasRest: boolean) {
        if (e === null || e === undefined) throw new TypeError('cannot destructure')
        if (hasRest) return { ...e, ...Object.fromEntries(keys.map((key) => [key, e[key]])) }
        return Object.fromEntries(keys.map((key) => [key, e[key]]))
      }),
      take: operation('take', function* (e: Iterable<unknown>, count: number, { hasRest }: { hasRest: boolean }) {
        const taken: unknown[] = []
        for (const value of e) {
          if (taken.length >= count && !hasRest) break
          taken.push(value)
        }
        return taken
      }),
    }
  }

  #creations(): Thing {
    return {
      jobs: globalThis,
      made: (site: number, object: unknown, values: readonly unknown[] = []) =>
        this.#remember(() => {
          this.captured.set(object, { site, values })
          for (const symbol of this.#symbols.values()) {
            if (Object.hasOwn(Object(object), symbol)) Object.defineProperty(object, symbol, { enumerable: false })
          }
          return object
        }),
      cell: (_site: number, value: unknown) =>
        this.#remember(() => {
          const cell = { v: value }
          this.cells.add(cell)
          return cell
        }),
      closure: (site: number, generator: GenFunction, values: readonly unknown[], flags: number, name?: string) =>
        this.#remember(() => {
          const made = this.#wrap(generator, flags, name)
          this.captured.set(made, { site, values })
          return made
        }),
      fn: (generator: GenFunction, flags: number, name?: string) => this.#wrap(generator, flags, name),
      methods: (owned: Thing, own: [string, number][], statics: [string, number][]) => {
        const lists: [Thing, [string, number][]][] = [
          [owned.prototype as Thing, own],
          [owned, statics],
        ]
        for (const [owner, list] of lists) {
          for (const [key, flags] of list) {
            const value = this.#wrap(owner[key] as GenFunction, flags, String(key))
            Object.defineProperty(owner, key, { value, writable: true, configurable: true, enumerable: false })
          }
        }
      },
    }
  }

  /** Code that is not executed again, because what it gives is logged. */
  *#inOneGo(run: () => unknown): Gen {
    const frame = this.#frame
    this.#frame = undefined
    try {
      return run()
    } finally {
      this.#frame = frame
    }
  }

  #symbol(name: string): symbol {
    const known = this.#symbols.get(name) ?? Symbol(name)
    this.#symbols.set(name, known)
    return known
  }

  #wrap(generator: GenFunction, flags: number, name: string | undefined): Callable {
    const miniature = this
    const wrapper = function (this: unknown, ...args: unknown[]): unknown {
      const outer = miniature.#frame
      miniature.#frame = undefined
      try {
        const running = generator.apply(this, args)
        return (flags & 1) === 1 ? miniature.#drive(running) : miniature.#runNow(running)
      } finally {
        miniature.#frame = outer
      }
    }
    Object.defineProperty(wrapper, 'name', { value: name ?? '' })
    Object.defineProperty(wrapper, 'length', { value: generator.length })
    this.#wrapped.set(wrapper, { generator, flags })
    return wrapper
  }

  #operate(event: OperationEvent, perform: () => Gen): unknown {
    const frame = this.#frame
    if (frame !== undefined) {
      const entry = frame.entries[frame.position]
      if (entry?.kind === 'call') {
        frame.at = event
        this.#pending = perform
        return stop
      }
      if (entry !== undefined) {
        frame.position++
        if (entry.kind === 'throw') throw entry.error
        // An iterator holds the element of the round that is executed.
        if (event.name === 'next') (event.operands[0] as { value: unknown }).value = entry.element
        return entry.value
      }
      frame.at = event
    }
    this.events.push(event)
    const mustStop = frame !== undefined || event.name === 'pause' || event.name.endsWith('Await')
    if (mustStop || this.#options.stops?.(event) === true) {
      this.#pending = perform
      return stop
    }
    this.performed++
    return this.#runNow(perform())
  }

  *#go(): Gen {
    const perform = this.#pending
    if (perform === undefined) throw new Error('nothing is pending')
    this.#pending = undefined
    const frame = this.#frame
    if (frame === undefined) {
      this.performed++
      yield suspended
      return yield* perform()
    }
    const known = frame.entries[frame.position]
    if (known === undefined) yield suspended
    try {
      const value = yield* this.#logged(frame, perform)
      const iterator = (frame.at as OperationEvent).operands[0] as { value: unknown }
      const element = (frame.at as OperationEvent).name === 'next' ? iterator.value : undefined
      frame.entries[frame.position++] = { kind: 'answer', value, element }
      return value
    } catch (error) {
      frame.entries[frame.position++] = { kind: 'throw', error }
      throw error
    }
  }

  *#logged(frame: FrameLog, perform: () => Gen): Gen {
    const event = frame.at as OperationEvent
    const answer = this.#options.answers?.(event)
    if (answer !== undefined && 'error' in answer) throw answer.error
    if (answer !== undefined) return answer.value
    if (frame.entries[frame.position] === undefined) this.performed++
    try {
      return yield* perform()
    } finally {
      this.#frame = frame
      frame.child = undefined
    }
  }

  #remember(create: () => unknown): unknown {
    const frame = this.#frame
    if (frame === undefined) return create()
    const entry = frame.entries[frame.position]
    if (entry?.kind === 'answer') {
      frame.position++
      return entry.value
    }
    const value = create()
    frame.entries[frame.position++] = { kind: 'answer', value }
    return value
  }

  *#get(o: Thing, k: PropertyKey): Gen {
    const generator = this.#accessor(o, k, 'get')
    return generator === undefined ? o[k] : yield* this.#enter(() => generator.call(o))
  }

  *#set(o: Thing, k: PropertyKey, v: unknown): Gen {
    const generator = this.#accessor(o, k, 'set')
    if (generator === undefined) o[k] = v
    else yield* this.#enter(() => generator.call(o, v))
    return v
  }

  #accessor(o: Thing, k: PropertyKey, kind: 'get' | 'set'): GenFunction | undefined {
    for (let owner: object | null = Object(o); owner !== null; owner = Object.getPrototypeOf(owner)) {
      const descriptor = Object.getOwnPropertyDescriptor(owner, k)
      if (descriptor === undefined) continue
      return descriptor[kind] === undefined ? undefined : (o[this.#symbol(`${kind} ${String(k)}`)] as GenFunction)
    }
    return undefined
  }

  *#invoke(o: Thing, k: string, args: readonly unknown[]): Gen {
    const method = yield* this.#get(o, k)
    if (typeof method !== 'function') throw new TypeError(`${String(k)} is not a function`)
    return yield* this.#call(method, o, args)
  }

  *#call(f: unknown, self: unknown, args: readonly unknown[]): Gen {
    const wrapped = this.#wrapped.get(Object(f))
    if (wrapped === undefined || (wrapped.flags & 1) === 1)
      return yield* this.#inOneGo(() => Reflect.apply(f as Callable, self, args))
    return yield* this.#enter(() => wrapped.generator.apply(self, args as unknown[]))
  }

  *#awaitedCall(f: unknown, self: unknown, args: readonly unknown[]): Gen {
    const wrapped = this.#wrapped.get(Object(f))
    const given =
      wrapped === undefined
        ? Reflect.apply(f as Callable, self, args)
        : yield* wrapped.generator.apply(self, args as unknown[])
    return yield { awaited: given } satisfies Awaiting
  }

  /** A frame of its own, if the run is logged. */
  *#enter(begin: () => Gen): Gen {
    const frame = this.#frame
    if (frame === undefined) return yield* begin()
    const entry = frame.entries[frame.position]
    const child = entry?.kind === 'call' ? entry.frame : new FrameLog()
    if (entry === undefined) frame.entries[frame.position] = { kind: 'call', frame: child }
    frame.child = child
    this.#frame = child
    return yield* begin()
  }

  #generatorOf(callable: unknown, self: unknown, args: readonly unknown[]): Gen {
    const wrapped = this.#wrapped.get(callable as object)
    if (wrapped === undefined) throw new Error('not a function of the module')
    return wrapped.generator.apply(self, args as unknown[])
  }

  #runNow(generator: Gen): unknown {
    for (;;) {
      const { done, value } = generator.next()
      if (done === true) return value
      if (value !== suspended) throw new Error('awaits in code that cannot')
    }
  }

  async #drive(generator: Gen): Promise<unknown> {
    let result = generator.next()
    while (result.done !== true) {
      if (result.value === suspended) {
        result = generator.next()
        continue
      }
      const { awaited } = result.value as Awaiting
      let value: unknown
      try {
        value = await awaited
      } catch (error) {
        result = generator.throw(error)
        continue
      }
      result = generator.next(value)
    }
    return result.value
  }
}

export interface Loaded {
  readonly exports: { readonly [name: string]: unknown }
  readonly miniature: Miniature
}

export function rewritten(source: string, file = 'sample.ts'): string {
  const result = transformObjects(source, file)
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  return result.value.code
}

/** A module that can be evaluated many times. */
export type Compiled = (api: object) => { readonly [name: string]: unknown }

export function compiled(code: string): Compiled {
  const { code: script } = transformSync(code, { loader: 'ts', format: 'cjs', target: 'node20' })
  const body = new Function('module', 'exports', 'require', script)
  return (api) => {
    const module = { exports: {} as { [name: string]: unknown } }
    body(module, module.exports, () => api)
    return module.exports
  }
}

/** A module without types. */
export function compiledScript(code: string): Compiled {
  const script = code.replace(/import \* as (\S+) from 'allways\/access';/, 'const $1 = api;')
  const names = [...script.matchAll(/export (?:const|function) (\w+)|export \{ (\w+) \};/g)].map(
    ([, one, two]) => one ?? two,
  )
  const body = script.replaceAll(/export \{ \w+ \};/g, '').replaceAll(/export (?=const|function)/g, '')
  const evaluate = new Function('api', `"use strict"; ${body}\n; return { ${names.join(', ')} }`)
  return (api) => evaluate(api)
}

/** Rewritten, stripped of types, and evaluated. */
export function load(source: string, options: MiniatureOptions = {}): Loaded {
  return start(compiled(rewritten(source)), options)
}

export function start(module: Compiled, options: MiniatureOptions = {}): Loaded {
  const miniature = new Miniature(options)
  return { exports: module(miniature.api), miniature }
}

/** Evaluated as it is. */
export function loadNative(source: string): { readonly [name: string]: unknown } {
  return compiled(source)({})
}
