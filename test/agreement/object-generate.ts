/**
 * Random classes as TypeScript source, with clients, drawn from a seed. Methods are made of idioms of concurrent code over the
 * few fields of a class, so that they collide: read and check, locks and what forgets them, compare-and-set with retries, linked
 * elements, containers and loops over them, helpers, closures, `try`/`finally`, and calls that nobody awaits.
 */
import { Random } from '../../src/core/random.ts'

export interface MethodText {
  readonly name: string
  readonly isAsync: boolean
  /** Each one alone is valid code, with the variables x, u and v, so that any can be left out. */
  readonly statements: readonly string[]
  readonly result: string
}

export interface ClassText {
  readonly name: string
  /** Classes it needs, and its fields. */
  readonly before: readonly string[]
  readonly fields: readonly string[]
  readonly methods: readonly MethodText[]
}

export interface CallText {
  readonly method: string
  readonly argument: number
}

export interface ObjectText {
  readonly class: ClassText
  readonly client: readonly (readonly CallText[])[]
}

export function generateObject(seed: number): ObjectText {
  return new Generator(seed).object()
}

/** A module with all the classes. */
export function moduleText(classes: readonly ClassText[]): string {
  return [`import { Atomic, Mutex, ReadWriteLock } from 'allways/sync'`, ...classes.map(classText)].join('\n\n')
}

export function clientText(client: ObjectText['client']): string {
  return client
    .map((calls) => `{ ${calls.map(({ method, argument }) => `${method}(${argument})`).join('; ')} }`)
    .join(' || ')
}

function classText({ name, before, fields, methods }: ClassText): string {
  const body = [...fields, ...methods.map(methodText)].map((line) => `  ${line}`)
  return [...before, `export class ${name} {`, ...body, '}'].join('\n')
}

function methodText({ name, isAsync, statements, result }: MethodText): string {
  const lines = ['let u: any = 0, v: any = x', ...statements, `return ${result}`]
  return [`${isAsync ? 'async ' : ''}${name}(x: any): any {`, ...lines.map((line) => `    ${line}`), '  }'].join('\n')
}

type FieldKind = (typeof fieldKinds)[number]

/** Those named twice are drawn more often. */
const fieldKinds = [
  'number',
  'number',
  'private',
  'private',
  'array',
  'array',
  'map',
  'set',
  'list',
  'list',
  'atomic',
  'record',
  'static',
  'variable',
  'computed',
  'owned',
  'mutex',
  'mutex',
  'readWriteLock',
] as const

/** What can be done with the fields a class has: expressions, and statements. */
interface Material {
  readonly reads: string[]
  readonly writes: string[]
  /** Calls of native methods that both read and write, and loops. */
  readonly idioms: string[]
}

class Generator {
  readonly #random: Random
  readonly #name: string
  readonly #isAsync: boolean
  readonly #before: string[] = []
  readonly #fields: string[] = []
  readonly #material: Material = { reads: [], writes: [], idioms: [] }
  readonly #locks: string[] = []
  /** How likely locks are used where there is one: from classes that forget them to classes that are right. */
  readonly #discipline: number

  constructor(seed: number) {
    this.#random = new Random(Math.imul(seed + 1, 0x27d4eb2f)).split()
    this.#name = `Generated${seed}`
    this.#isAsync = this.#chance(0.25)
    this.#discipline = this.#random.pick([0, 0.5, 0.8, 1])
  }

  object(): ObjectText {
    const drawn = this.#random.shuffle(fieldKinds).slice(0, 2 + this.#random.below(2))
    for (const [at, kind] of drawn.entries()) this.#addField(kind, at)
    if (this.#material.reads.length === 0) this.#addField('number', drawn.length)
    const helper = this.#method('helper', 1, this.#isAsync && this.#chance(0.5))
    this.#material.reads.push(`${helper.isAsync ? 'await ' : ''}this.helper(${this.#local()})`)
    if (helper.isAsync) this.#addBegun()
    const methods = ['first', 'second', 'third'].map((name) =>
      this.#method(name, 1 + this.#random.below(3), this.#isAsync),
    )
    const text = { name: this.#name, before: this.#before, fields: this.#fields, methods: [helper, ...methods] }
    return { class: text, client: this.#client() }
  }

  #client(): ObjectText['client'] {
    const processes = this.#random.pick([2, 2, 3])
    const calls = processes === 3 ? 1 : 2
    return Array.from({ length: processes }, () =>
      Array.from({ length: 1 + this.#random.below(calls) }, () => ({
        method: this.#random.pick(['first', 'second', 'third']),
        argument: this.#random.below(2),
      })),
    )
  }

  #method(name: string, most: number, isAsync: boolean): MethodText {
    const statements = Array.from({ length: 1 + this.#random.below(most) }, () => this.#statement(isAsync))
    const result = this.#random.pick(['[u, v]', '[u, v]', '{ u, v }', 'v', this.#read(isAsync)])
    return { name, isAsync, statements, result: isAsync || !result.includes('await') ? result : 'u' }
  }

  /** Fields have names of their own in every class: a field is taken to be constant if no class ever assigns its name. */
  #addField(kind: FieldKind, at: number): void {
    const name = `${kind}${this.#name.slice(9)}_${at}`
    const { reads, writes, idioms } = this.#material
    const it = `this.${kind === 'private' ? '#' : ''}${name}`
    const local = this.#local()
    switch (kind) {
      case 'number':
      case 'private':
        this.#fields.push(`${kind === 'private' ? '#' : ''}${name}: any = 0`)
        reads.push(it)
        writes.push(
          `${it} = ${local}`,
          `${it} = ${it} + 1`,
          `${it}++`,
          `u = ${it}; ${it} = u + 1`,
          `${it} ||= ${local}`,
        )
        idioms.push(`if (${it} === ${local}) v = 5`, `do { u = ${it}; v = ${it} } while (u !== v)`)
        return
      case 'array':
        return this.#addArray(name, it)
      case 'map':
        this.#fields.push(`readonly ${name} = new Map<any, any>([[0, 1]])`)
        reads.push(
          `${it}.get(${local})`,
          `${it}.has(1)`,
          `${it}.size`,
          `[...${it}.keys()].join()`,
          `new Map(${it}).size`,
        )
        writes.push(`${it}.set(${local}, u)`, `${it}.delete(0)`, `${it}.set(1, 7)`)
        idioms.push(
          `for (const [key, value] of ${it}) u = [u, key, value].join()`,
          `if (!${it}.has(x)) ${it}.set(x, ${local})`,
          `${it}.forEach((value) => { u += value })`,
          `if (${it}.size > 1) ${it}.clear()`,
        )
        return
      case 'set':
        this.#fields.push(`${name} = new Set<any>()`)
        reads.push(`${it}.has(${local})`, `${it}.size`)
        writes.push(`${it}.add(${local})`, `${it}.delete(0)`, `${it} = new Set([${local}])`)
        idioms.push(`for (const each of ${it}) u += each + 1`, `u = ${it}; u.add(v); u = u.size`)
        return
      case 'list':
        return this.#addList(name, it)
      case 'atomic':
        this.#fields.push(`readonly ${name} = new Atomic<any>(0)`)
        reads.push(`${it}.load()`)
        writes.push(`${it}.store(${local})`, `u = ${it}.getAndAdd(1)`, `u = ${it}.exchange(${local})`)
        idioms.push(
          `do { u = ${it}.load() } while (!${it}.compareAndSet(u, (u + 1) % 3))`,
          `if (${it}.compareAndSet(0, 1)) { v = ${this.#read(false)}; ${it}.store(0) }`,
          `for (let i = 0; i < 2 && ${it}.load() === 0; i++) v = i`,
        )
        return
      case 'record':
        this.#fields.push(`${name}: any = { p: 0, q: 0 }`)
        reads.push(`${it}.p`, `${it}.q`, `'z' in ${it}`, `({ ...${it} }).q`)
        writes.push(`${it} = { p: ${local}, q: 1 }`, `${it}.p = ${local}`, `${it}.z = 1`, `delete ${it}.z`)
        idioms.push(`{ const { p, q } = ${it}; u = p; v = q }`, `{ const old = ${it}; old.q++; v = old.q }`)
        return
      case 'static':
        this.#fields.push(`static ${name} = 0`)
        reads.push(`${this.#name}.${name}`)
        writes.push(`${this.#name}.${name} = ${local}`, `${this.#name}.${name}++`)
        return
      case 'variable':
        this.#before.push(`let ${name} = 0`)
        reads.push(name)
        writes.push(`${name} = ${local}`, `${name}++`)
        idioms.push(
          `u = [2, 1].sort(() => { ${name}++; return 0 }).join()`,
          `v = Array.from({ length: 2 }, () => ${name}++).join()`,
        )
        return
      case 'computed':
        this.#fields.push(
          `${name} = 1`,
          `get twice${name}(): any { return [this.${name}, this.${name}].join() }`,
          `set twice${name}(value: any) { this.${name} = value; this.${name} = this.${name} + 1 }`,
        )
        reads.push(`this.twice${name}`)
        writes.push(`this.twice${name} = ${local}`, `${it} = ${local}`)
        return
      case 'owned':
        this.#before.push(
          `class Owned${name} {`,
          '  id: any; copy: any',
          `  constructor(owner: any) { owner.${name}++; this.id = owner.${name}; this.copy = owner.${name} }`,
          '}',
        )
        this.#fields.push(`${name} = 0`)
        reads.push(`new Owned${name}(this).id`, it)
        writes.push(`{ const made = new Owned${name}(this); u = made.id; v = made.copy }`, `${it} = ${local}`)
        return
      case 'readWriteLock':
        this.#fields.push(`readonly ${name} = new ReadWriteLock()`)
        idioms.push(
          `${it}.read.acquireSync(); try { u = ${this.#read(false)}; v = ${this.#read(false)} } finally { ${it}.read.release() }`,
          `${it}.write.acquireSync(); try { ${this.#write()} } finally { ${it}.write.release() }`,
          `${it}.write.acquireSync(); ${this.#write()}; ${it}.write.release()`,
        )
        return
      case 'mutex':
        this.#fields.push(`readonly ${name} = new Mutex(${this.#random.pick(['', '', '{ reentrant: true }'])})`)
        this.#locks.push(it)
        return
    }
  }

  #addArray(name: string, it: string): void {
    const { reads, writes, idioms } = this.#material
    const local = this.#local()
    this.#fields.push(`readonly ${name}: any[] = [${this.#random.pick(['', '1', '0, 2'])}]`)
    reads.push(`${it}[0]`, `${it}.length`, `${it}.at(-1)`, `${it}.includes(${local})`, `[...${it}].length`)
    writes.push(`${it}.push(${local})`, `${it}[${local} & 1] = u`, `${it}.pop()`, `u = ${it}.shift()`)
    idioms.push(
      `for (const each of ${it}) u += each`,
      `for (let i = 0; i < ${it}.length && i < 3; i++) if (${it}[i] === x) { u = i; break }`,
      `v = ${it}.some((each) => each === ${local})`,
      `u = ${it}.map((each) => each + ${this.#read(false)}).join()`,
      `{ const i = ${it}.length; ${it}[i] = x }`,
      `if (${it}.length > 2) ${it}.length = 0`,
    )
  }

  #addList(name: string, it: string): void {
    const { reads, writes, idioms } = this.#material
    const element = `Element${name.slice(4)}`
    const counts = this.#chance(0.4)
    this.#before.push(
      `class ${element} {`,
      `  ${counts ? 'static made = 0; ' : ''}value: any; next: any`,
      `  constructor(value: any, next: any) { this.value = value; this.next = next${counts ? `; ${element}.made++` : ''} }`,
      '}',
    )
    if (counts) reads.push(`${element}.made`)
    this.#fields.push(`${name}: any = null`)
    reads.push(`${it}?.value`, `${it}?.next?.value`)
    writes.push(
      `${it} = new ${element}(x, ${it})`,
      `${it} = ${it}?.next ?? null`,
      `if (${it}) ${it}.value = ${this.#local()}`,
    )
    idioms.push(
      `for (let at = ${it}; at !== null; at = at.next) u = [u, at.value].join()`,
      `{ const made = new ${element}(x, null); made.next = ${it}; ${it} = made; v = made.value }`,
      `{ let last = ${it}; while (last !== null && last.next !== null) last = last.next; const made = new ${element}(x, null); if (last === null) ${it} = made; else last.next = made }`,
      `{ const top = ${it}; if (top !== null && ${it} === top) { ${it} = top.next; u = top.value } }`,
      `{ const top = ${it}; if (top !== null && top.next !== null) { const other = top.next; top.next = other.next; other.next = top; ${it} = other } }`,
    )
  }

  /** A call that goes on by itself; awaited later, or never. */
  #addBegun(): void {
    this.#material.idioms.push(
      `{ const begun = this.helper(${this.#local()}); v = ${this.#read(false)}; u = await begun }`,
      `u = (await Promise.all([this.helper(0), this.helper(x)])).join()`,
      `u = String(await Promise.race([this.helper(0), this.helper(x)]))`,
      `void this.helper(${this.#local()})`,
    )
  }

  #statement(isAsync: boolean): string {
    const text = this.#plainStatement(isAsync)
    const lock = this.#locks.length > 0 && this.#chance(this.#discipline) ? this.#random.pick(this.#locks) : undefined
    return lock === undefined ? this.#guarded(text, isAsync) : this.#locked(lock, text, isAsync)
  }

  #locked(lock: string, text: string, isAsync: boolean): string {
    if (isAsync) return `await ${lock}.acquire(); try { ${text} } finally { ${lock}.release() }`
    switch (this.#random.below(6)) {
      case 0:
        return `${lock}.acquireSync(); ${text}; ${lock}.release()`
      case 1:
        return text.includes('await')
          ? `${lock}.acquireSync(); ${text}; ${lock}.release()`
          : `${lock}.runSync(() => { ${text} })`
      case 2:
        return `if (${lock}.tryAcquire()) { try { ${text} } finally { ${lock}.release() } }`
      case 3:
        return `${lock}.acquireSync(); try { if (${this.#read(false)} === 1) return ${this.#read(false)}; ${text} } finally { ${lock}.release() }`
      default:
        return `${lock}.acquireSync(); try { ${text} } finally { ${lock}.release() }`
    }
  }

  #guarded(text: string, isAsync: boolean): string {
    switch (this.#random.below(12)) {
      case 0:
        return `if (${this.#read(isAsync)} === ${this.#local()}) { ${text} }`
      case 1:
        return `try { if (${this.#read(isAsync)}) throw new Error('no'); ${text} } catch (error: any) { v = error.message }`
      case 2:
        return `try { ${text}; return v } finally { u = ${this.#read(isAsync)} }`
      case 3:
        return `for (let i = 0; i < 2; i++) { ${text}; if (${this.#read(isAsync)} === x) break }`
      case 4:
        return `if (${this.#read(isAsync)} === 2) throw new Error('two')`
      default:
        return text
    }
  }

  #plainStatement(isAsync: boolean): string {
    const { idioms } = this.#material
    const kept = (texts: readonly string[]) => texts.filter((text) => isAsync || !text.includes('await'))
    const loops = kept(idioms)
    switch (this.#random.below(isAsync ? 12 : 10)) {
      case 0:
        return `u = ${this.#read(isAsync)}`
      case 1:
      case 2:
        return `v = [${this.#read(isAsync)}, ${this.#read(isAsync)}].join()`
      case 3:
      case 4:
      case 5:
      case 6:
        return this.#write()
      case 10:
      case 11:
        return `await null; v = ${this.#read(isAsync)}`
      default:
        return loops.length > 0 ? this.#random.pick(loops) : `v = ${this.#read(isAsync)}`
    }
  }

  #write(): string {
    const { writes } = this.#material
    return writes.length > 0 ? this.#random.pick(writes) : `u = ${this.#read(false)}`
  }

  #read(isAsync: boolean): string {
    const reads = this.#material.reads.filter((text) => isAsync || !text.includes('await'))
    return reads.length > 0 ? this.#random.pick(reads) : '0'
  }

  #local(): string {
    return this.#random.pick(['x', 'u', 'v', '0', '1', '2'])
  }

  #chance(probability: number): boolean {
    return this.#random.below(1000) < 1000 * probability
  }
}
