/** Random small programs: one class whose methods use fields, locals, loops, closures and pending operands. */

/** A generator of numbers from a seed (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }

  of<T>(options: readonly T[]): T {
    return options[this.below(options.length)] as T
  }
}

/** JavaScript, so that no types need to be stripped. Small programs show more: their executions meet more often. */
export function randomProgram(seed: number): string {
  return new ProgramWriter(new Random(seed), seed % 4).program()
}

interface Scope {
  /** Can be assigned. */
  readonly variables: string[]
  /** Can only be read. */
  readonly constants: string[]
  /** Functions without parameters. */
  readonly functions: string[]
}

interface Place {
  readonly scope: Scope
  readonly inLoop: boolean
  readonly labels: readonly string[]
  readonly depth: number
}

class ProgramWriter {
  readonly #random: Random
  readonly #size: number
  /** Each program has favourites, so that rare constructs meet. */
  readonly #statementKinds: readonly number[]
  readonly #expressionKinds: readonly number[]
  #names = 0

  constructor(random: Random, size: number) {
    this.#random = random
    this.#size = size
    this.#statementKinds = Array.from({ length: 3 }, () => random.below(24))
    this.#expressionKinds = Array.from({ length: 3 }, () => random.below(20))
  }

  program(): string {
    const header = this.#size > 1 ? 'a, { k, l = this.g }, ...r' : 'a, o'
    const parameters = this.#size > 1 ? ['a', 'k', 'l'] : ['a']
    return `class C { f = 0; g = 1; h = 0; #p = 1
      get acc() { const t = this.f; return t + this.g }
      set acc(v) { this.h = v; this.g = v + this.f }
      low(a, b = this.h) { ${this.#body(['a', 'b'], 0)} }
      top(${header}) { ${this.#body(parameters, Math.max(1, this.#size))} }
    }
    export function main(a, o, c) { return c.top(a, o, a) }
    export const make = (f, g) => { const c = new C(); c.f = f; c.g = g; return c }`
  }

  #body(parameters: readonly string[], depth: number): string {
    const scope = { variables: [...parameters, 's', 'u'], constants: [], functions: [] }
    const place = { scope, inLoop: false, labels: [], depth }
    return `let s = 0, u; ${this.#statements(place)}; return ${this.#expression(place, 1)}`
  }

  #statements(place: Place): string {
    const scope = {
      variables: [...place.scope.variables],
      constants: [...place.scope.constants],
      functions: [...place.scope.functions],
    }
    const inner = { ...place, scope }
    return Array.from({ length: 1 + this.#random.below(this.#size > 2 ? 4 : 3) }, () => this.#statement(inner)).join(
      '; ',
    )
  }

  #block(place: Place): string {
    // A variable that hides another one, so that names alone do not tell which is live.
    const hiding = this.#random.below(3) === 0 ? `let ${this.#variable(place.scope)} = this.f; ` : ''
    return `{ ${hiding}${this.#statements({ ...place, depth: place.depth - 1 })} }`
  }

  #statement(place: Place): string {
    const { scope, depth } = place
    const kind = this.#favoured(this.#statementKinds, depth > 0 ? 24 : 13)
    switch (kind) {
      case 0:
      case 1:
      case 2:
        return `${this.#variable(scope)} = ${this.#expression(place, 2)}`
      case 3:
        return `${this.#target(place)} ${this.#random.of(['=', '+=', '-=', '??=', '||=', '&&='])} ${this.#expression(place, 2)}`
      case 4:
        return `${this.#random.of([this.#variable(scope), this.#target(place)])}${this.#random.of(['++', '--'])}`
      case 5: {
        const name = this.#fresh()
        const code = `let ${name} = ${this.#expression(place, 2)}`
        scope.variables.push(name)
        return code
      }
      case 6: {
        const name = this.#fresh()
        const code = `const ${name} = ${this.#expression(place, 2)}`
        scope.constants.push(name)
        return code
      }
      case 7:
        return this.#destructuring(place)
      case 8:
        return `if (${this.#expression(place, 1)}) ${this.#jump(place)}`
      case 9:
        return `this.${this.#random.of(['low', 'low'])}(${this.#expression(place, 1)})`
      case 10: {
        const name = this.#fresh()
        const body = this.#random.of([
          `() => ${this.#expression(place, 2)}`,
          `() => { ${this.#variable(scope)} = ${this.#expression(place, 2)}; return ${this.#expression(place, 1)} }`,
          `() => ++${this.#variable(scope)}`,
        ])
        scope.functions.push(name)
        return `const ${name} = ${body}`
      }
      case 11:
        return this.#expression(place, 3)
      case 12:
        return `[${this.#variable(scope)}, ${this.#target(place)}] = [${this.#expression(place, 1)}, ${this.#expression(place, 1)}]`
      default:
        return this.#compound(place, kind)
    }
  }

  #compound(place: Place, kind: number): string {
    const test = this.#expression(place, 1)
    const condition = `this.${this.#random.of(['f', 'g', 'acc'])} < ${test}`
    const label = `l${++this.#names}`
    const loop = { ...place, inLoop: true, labels: [...place.labels, label] }
    switch (kind) {
      case 13:
      case 14:
        return `if (${test}) ${this.#block(place)} else ${this.#block(place)}`
      case 15:
        return `${label}: while (${condition}) ${this.#block(loop)}`
      case 16:
        return `${label}: do ${this.#block(loop)} while (${condition})`
      case 17: {
        const name = this.#fresh()
        const scope = { ...place.scope, variables: [...place.scope.variables, name] }
        return `${label}: for (let ${name} = ${this.#expression(place, 1)}; ${condition}; ${name}++) ${this.#block({ ...loop, scope })}`
      }
      case 18: {
        const name = this.#fresh()
        const scope = { ...place.scope, variables: [...place.scope.variables, name] }
        return `${label}: for (let ${name} of ${this.#expression(place, 1)}) ${this.#block({ ...loop, scope })}`
      }
      case 19:
        return `${label}: for (;;) { if (${condition}) ${this.#random.of(['break', 'continue', 'return s'])}; ${this.#statements({ ...loop, depth: place.depth - 1 })} }`
      case 20:
        return `try ${this.#block(place)} catch (e) { ${this.#caught(place)} }`
      case 21:
        return `try ${this.#block(place)} finally ${this.#block({ ...place, inLoop: false, labels: [] })}`
      case 22:
        return `try ${this.#block(place)} catch { ${this.#statements({ ...place, depth: 0 })} } finally { ${this.#statements({ ...place, depth: 0, inLoop: false, labels: [] })} }`
      default:
        return `switch (${test}) { case ${this.#expression(place, 1)}: ${this.#statements({ ...place, depth: 0 })}; break; case 1: ${this.#statements({ ...place, depth: 0 })}; default: ${this.#statements({ ...place, depth: 0 })} }`
    }
  }

  #caught(place: Place): string {
    const scope = { ...place.scope, variables: [...place.scope.variables, 'e'] }
    return this.#statements({ ...place, scope, depth: 0 })
  }

  #jump({ inLoop, labels, scope }: Place): string {
    const jumps = ['return s', `return ${this.#variable(scope)}`, `throw ${this.#variable(scope)}`, 'throw this.f']
    if (inLoop) jumps.push('break', 'continue', 'break', 'continue')
    for (const label of labels) jumps.push(`break ${label}`, `continue ${label}`)
    return this.#random.of(jumps)
  }

  #destructuring(place: Place): string {
    const { scope } = place
    const [one, two] = [this.#fresh(), this.#fresh()]
    const pattern = this.#random.of([
      `{ f: ${one}, g: { h: ${two} } }`,
      `{ f: ${one} = ${this.#expression(place, 1)}, g: ${two} }`,
      `{ f: ${one}, ...${two} }`,
      `[${one}, ${two}]`,
      `[${one} = ${this.#expression(place, 1)}, ...${two}]`,
      `[[${one}], { f: ${two} = ${this.#expression(place, 1)} }]`,
    ])
    const code = `let ${pattern} = ${this.#expression(place, 1)}`
    scope.variables.push(one, two)
    return code
  }

  #expression(place: Place, depth: number): string {
    const { scope } = place
    const simple = depth <= 0 || this.#random.below(4) === 0
    const names = [...scope.variables, ...scope.constants]
    if (simple) return this.#random.of([...names, 'this.f', 'this.g', 'this.#p', '1', '2'])
    const e = (): string => this.#expression(place, depth - 1)
    const call = scope.functions.length > 0 ? `${this.#random.of(scope.functions)}()` : e()
    switch (this.#favoured(this.#expressionKinds, 20)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return `(${e()} ${this.#random.of(['+', '-', '<', '===', '*'])} ${e()})`
      case 4:
        return `(${e()} ${this.#random.of(['&&', '||', '??'])} ${e()})`
      case 5:
        return `(${e()} ? ${e()} : ${e()})`
      case 6:
        return `(${e()}).k`
      case 7:
        return `(${e()})[${e()}]`
      case 8:
        return `(${e()})?.k?.[${e()}]`
      case 9:
        return `(${this.#variable(scope)} = ${e()})`
      case 10:
        return `${this.#variable(scope)}${this.#random.of(['++', '--'])}`
      case 11:
        return `(${this.#variable(scope)} += ${e()})`
      case 12:
        return `(this.${this.#random.of(['f', 'g', '#p', 'acc'])} ${this.#random.of(['=', '+=', '||='])} ${e()})`
      case 13:
        return `this.${this.#random.of(['f', '#p'])}++`
      case 14:
        return this.#random.of([call, call, `this.low(${e()}, ${e()})`, `this.low(${e()})`])
      case 15:
        return `[${e()}, ${e()}].length`
      case 16:
        return `(${e()} in (${e()}))`
      case 17:
        return `(${e()}, ${e()})`
      case 18:
        return `({ k: ${e()}, [${e()}]: ${e()} }).k`
      default:
        return `\`\${${e()}}\${${e()}}\``
    }
  }

  #favoured(favourites: readonly number[], limit: number): number {
    const kind = this.#random.of(favourites)
    return kind < limit && this.#random.below(3) > 0 ? kind : this.#random.below(limit)
  }

  #variable({ variables }: Scope): string {
    return this.#random.of(variables)
  }

  #target(place: Place): string {
    return this.#random.of([
      'this.f',
      'this.g',
      'this.#p',
      'this.acc',
      `(${this.#variable(place.scope)})[${this.#expression(place, 1)}]`,
    ])
  }

  #fresh(): string {
    return `n${++this.#names}`
  }
}
