/**
 * P programs whose handlers go round: loops that nothing bounds, and states that go to each other, with choices on the way. Each has so few values that a handler is
 * somewhere twice after a few choices.
 */
import { Random } from '../../../src/core/random.ts'

export function endlessProgram(seed: number): string {
  return new Drawing(seed).program()
}

class Drawing {
  readonly #random: Random
  #choices = 0

  constructor(seed: number) {
    this.#random = new Random(seed)
  }

  #one<T>(...among: readonly T[]): T {
    return among[this.#random.below(among.length)] as T
  }

  program(): string {
    const sends = this.#one('send w, e;', 'announce e;')
    return [
      'event e; event stop;',
      'machine Main { var x: int; var w: machine;',
      `  start state Init { entry { w = new W(); ${sends} goto S; } }`,
      `  state S { entry { ${this.#statement(2)} } ${this.#handlers('T')} }`,
      `  state T { entry { ${this.#statement(1)} } ${this.#handlers('S')} }`,
      '}',
      `machine W { var x: int; start state S { entry { ${this.#one('', this.#statement(1, false))} } ignore e, stop; } }`,
      'spec Watch observes e, stop { var n: int;',
      `  start state A { on e do { n = (n + 1) % 3; ${this.#one('', '', 'assert n < 2, "seen twice";')} } ignore stop; } }`,
      'test tc [main=Main]: assert Watch in { Main, W };',
    ].join('\n')
  }

  #handlers(other: string): string {
    const onE = this.#one('ignore e;', `on e do { ${this.#statement(1)} }`, `on e goto ${other};`)
    return `${onE} ${this.#one('ignore stop;', `on stop do { ${this.#statement(1)} }`, 'on stop goto S;')}`
  }

  #statement(depth: number, hasStates = true): string {
    const inner = (): string => (depth > 0 ? this.#statement(depth - 1, hasStates) : this.#simple(hasStates))
    switch (this.#one('if', 'if', 'loop', 'loop', 'while', 'both', 'simple')) {
      case 'if':
        return `if (${this.#condition()}) { ${inner()} } ${this.#one('', `else { ${inner()} }`)}`
      case 'loop':
        return `while (true) { ${inner()} ${this.#one('', 'if (x == 1) break;', `if (${this.#condition()}) break;`)} }`
      case 'while':
        return `while (${this.#condition()}) { ${inner()} }`
      case 'both':
        return `${inner()} ${inner()}`
      default:
        return this.#simple(hasStates)
    }
  }

  #condition(): string {
    if (this.#choices++ > 2) return this.#one('x == 0', 'x == 1')
    return this.#one('$', '$', '$$', 'x == 0', 'choose(3) == 1')
  }

  #simple(hasStates: boolean): string {
    const own = ['x = 1 - x;', 'x = 0;', '', 'assert x < 1, "one";']
    const all = ['goto T;', 'goto S;', 'raise e;', 'raise stop;']
    return this.#one(...own, ...(hasStates ? all : []))
  }
}
