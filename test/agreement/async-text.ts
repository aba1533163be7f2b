/**
 * Random async processes as JavaScript text: activities, combinations of promises, timers, jobs, async generators, and receives that are
 * awaited later.
 */
import type { Random } from '../../src/core/random.ts'

export interface AsyncText {
  /** Of the program, as it is written. */
  readonly options?: string
  readonly bodies: readonly string[]
}

export interface AsyncOptions {
  readonly processes: number
  readonly statements: number
  readonly timers: boolean
  /** Whether processes wait for the end of those that begin before them, and the first for that of all others. */
  readonly joins?: boolean
}

export function generateAsync(random: Random, options: AsyncOptions): AsyncText {
  const bodies = Array.from({ length: options.processes }, (_, at) => new Writer(random, options, at).body())
  return { bodies }
}

class Writer {
  readonly #random: Random
  readonly #options: AsyncOptions
  readonly #at: number
  #names = 0
  #left: number
  #timers = 1
  #receives = 3
  #joins = 3
  #generators = 0

  constructor(random: Random, options: AsyncOptions, at: number) {
    this.#random = random
    this.#options = options
    this.#at = at
    this.#left = options.statements
  }

  body(): string {
    return this.#statements(0)
  }

  #statements(depth: number): string {
    const later: string[] = []
    const lines: string[] = []
    for (let count = 2 + this.#below(3); count > 0 && this.#left > 0; count--)
      lines.push(`;${this.#statement(depth, later)}`)
    for (const name of later) lines.push(`log('later', await ${name})`)
    return lines.join('\n')
  }

  #statement(depth: number, later: string[]): string {
    this.#left--
    const label = `'${this.#at}.${this.#names++}'`
    if (this.#generators > 0 && this.#below(3) === 0) return `log(${label}, yield ${this.#promise(depth)})`
    switch (this.#below(17)) {
      case 0:
      case 1:
        return `await ${this.#send()}; log(${label})`
      case 2:
        return this.#send()
      case 3:
      case 4:
        return `log(${label}, await ${this.#receive()})`
      case 5: {
        const name = `v${this.#names++}`
        later.push(name)
        return `const ${name} = ${this.#promise(depth)}; log(${label})`
      }
      case 6:
        return `log(${label}, await Promise.${this.#pick(['all', 'race', 'allSettled', 'any'])}([${this.#promise(depth)}, ${this.#promise(depth)}]))`
      case 7:
        return `${this.#promise(depth)}.then((v) => { log(${label}, v); return 'next' }).then((v) => log(${label}, v)).finally(() => log(${label}))`
      case 8:
        return `${this.#pick(['queueMicrotask', 'process.nextTick'])}(() => log(${label}))`
      case 9:
        return `await ${this.#pick(['null', 'Promise.resolve(1)', 'assert(true)', `log(${label})`])}; log(${label})`
      case 10:
        return `log(${label}, await ${this.#promise(depth)})`
      case 11:
        return `try { await ${this.#promise(depth)}; throw 'thrown' } catch (error) { log(${label}, error) }`
      case 12:
        return `for await (const v of ${this.#iterable(depth)}) { log(${label}, v); ${this.#pick(['', '', 'break', "await log('body')"])} }`
      case 13: {
        const name = `v${this.#names++}`
        const request = (): string => `${name}.${this.#pick(['next', 'next', 'return', 'throw'])}('given')`
        return `const ${name} = ${this.#generator(depth)}; log(${label}, await Promise.allSettled([${request()}, ${request()}]))`
      }
      case 14:
        return this.#mayArm() ? `setTimeout(() => log(${label}), ${1 + this.#below(3)})` : `log(${label})`
      default:
        return this.#below(3) === 0
          ? `log(${label}, await choose([1, 2]))`
          : `log(${label}, await ${this.#activity(depth)})`
    }
  }

  #promise(depth: number): string {
    if (this.#options.joins === true && this.#below(4) === 0) return this.#join()
    switch (this.#below(6)) {
      case 0:
      case 1:
        return this.#receive()
      case 2:
        return this.#send()
      case 3:
        if (this.#mayArm()) return `new Promise((resolve) => setTimeout(() => resolve('late'), ${1 + this.#below(3)}))`
        return 'Promise.resolve(2)'
      case 4:
        return `Promise.reject('no').catch((error) => error)`
      default:
        return this.#activity(depth)
    }
  }

  #activity(depth: number): string {
    if (depth >= 2 || this.#left <= 0) return 'Promise.resolve(3)'
    const generators = this.#generators
    this.#generators = 0
    const body = this.#statements(depth + 1)
    this.#generators = generators
    const result = this.#pick([`'done'`, this.#receive(), this.#send(), 'Promise.resolve(4)'])
    return `(async () => {\n${body}\nreturn ${result}\n})()`
  }

  #iterable(depth: number): string {
    if (this.#below(2) === 0) return `[${this.#promise(depth)}, ${this.#promise(depth)}]`
    return this.#generator(depth)
  }

  #generator(depth: number): string {
    if (depth >= 2 || this.#left <= 0) return '(async function* () { yield 6 })()'
    this.#generators++
    const body = this.#statements(depth + 1)
    this.#generators--
    const last = this.#pick([`return ${this.#promise(depth + 1)}`, `yield* ${this.#iterable(depth + 1)}`, ''])
    const wrapped = this.#below(3) === 0 ? `try {\n${body}\n} finally { log('over') }` : body
    return `(async function* () {\n${wrapped}\n${last}\n})()`
  }

  #mayArm(): boolean {
    return this.#options.timers && this.#timers-- > 0
  }

  #send(): string {
    return `send(to(${this.#below(this.#options.processes)}), { kind: ${this.#kind()}, n: ${this.#names++} })`
  }

  #join(): string {
    const others = this.#at === 0 ? this.#options.processes - 1 : this.#at - 1
    if (others === 0 || this.#joins-- <= 0) return 'Promise.resolve(7)'
    return `join(to(${1 + this.#below(others)}))`
  }

  #receive(): string {
    if (this.#receives-- <= 0) return 'Promise.resolve(5)'
    const from = `{ from: to(${this.#below(this.#options.processes)}) }`
    const kind = this.#kind()
    return this.#pick([
      'receive()',
      'receive()',
      `receive(${kind})`,
      `receive((m) => m.kind === ${kind})`,
      `receive(${from})`,
    ])
  }

  #kind(): string {
    return this.#pick([`'a'`, `'b'`])
  }

  #pick(options: readonly string[]): string {
    return options[this.#below(options.length)] as string
  }

  #below(limit: number): number {
    return this.#random.below(limit)
  }
}
