/**
 * Programs drawn at random from the provable subset, without opaque parts. Messages go round to their sender, so that nothing
 * waits for ever; choices in the end depend on the variables, so that the number of executions tells what these hold.
 */
import { Random } from '../../../../src/core/random.ts'

export function randomProgram(seed: number): string {
  return new Generator(seed).program()
}

type Place = 'main' | 'helper' | 'round'

class Generator {
  readonly #random: Random
  readonly #helpers: string[] = []
  #names = 0

  constructor(seed: number) {
    this.#random = new Random(seed)
  }

  program(): string {
    const helpers = [0, 1, 2].map((index) => this.#helper(`h${index}`))
    const body = this.#block(2, 'main', 4)
    return `import { choose, every, program, receive, repeat, self, send, spawnAll } from 'allways'
export default program('random', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self()
  const all = yield* spawnAll(n, 'peer', { daemon: true }, function* () { while (true) yield* receive('go') })
  let x = 0
  let y = 1
  yield* act()
  yield* send(me, { kind: 'end' })
  yield* receive('end')
  if (x % 2 === 0) yield* choose([1, 2])
  if (y % 3 === 1) yield* choose([1, 2, 3])
  if (x > y) yield* choose([1, 2])
  function* act() { ${body} }
  ${helpers.join('\n  ')}
})
`
  }

  #helper(name: string): string {
    const isLoop = this.#below(3) === 0
    const body = this.#block(1, 'helper', 3)
    this.#helpers.push(name)
    if (!isLoop) return `function* ${name}(p) { ${body} ${this.#pick(['', `return ${this.#sum('p')}`])} }`
    const again = `return yield* ${name}(p - 1 - p % 2)`
    return `function* ${name}(p) { if (p <= 0) return ${this.#sum('p')}; ${this.#ping()} if (x > 3) { x = x % 3; ${again} } y++; ${again} }`
  }

  #block(depth: number, place: Place, most: number): string {
    const count = 1 + this.#below(most)
    return Array.from({ length: count }, () => this.#statement(depth, place)).join(' ')
  }

  #statement(depth: number, place: Place): string {
    const simple = [
      () => `x = ${this.#value(place)};`,
      () => `y = ${this.#value(place)};`,
      () => `${this.#pick(['x', 'y'])} ${this.#pick(['+=', '-=', '*='])} ${this.#value(place)};`,
      () => `${this.#pick(['x++', 'y--', '--x', '++y'])};`,
      () => this.#ping(),
      () => `[x, y] = [${this.#sum(this.#atom(place))}, x];`,
      () =>
        `yield* send(me, { kind: 'z', v: ${this.#value(place)} }); { const { v: x2 } = yield* receive('z'); x = x2 % 5 }`,
    ]
    if (depth === 0) return this.#pick(simple)()
    return this.#pick([...simple, ...this.#compound(depth - 1, place)])()
  }

  #compound(depth: number, place: Place): (() => string)[] {
    const block = (inside: Place = place) => this.#block(depth, inside, 3)
    return [
      () => `if (${this.#condition(place)}) { ${block()} } else { ${block()} }`,
      () => `if (${this.#condition(place)}) { ${block()} }`,
      () => (place === 'main' ? `if (${this.#condition(place)}) return;` : this.#exit(place)),
      () =>
        `switch (${this.#sum(this.#atom(place))} % 3) { case 0: ${block()} break; case 1: case 2: ${block()} break; default: ${block()} }`,
      () => this.#whileLoop(block('round')),
      () =>
        `for (let i${++this.#names} = 0; i${this.#names} < 2; i${this.#names}++) { ${this.#ping()} ${block('main')} }`.replace(
          /return;/g,
          'continue;',
        ),
      () => `yield* repeat(2, function* (p) { ${this.#block(depth, 'main', 2)} });`,
      () => 'for (const q of all) { yield* send(q, { kind: "go", x }); x++ }',
      () => `x = (yield* choose([${this.#below(3)}, ${this.#below(4)}])) + y;`,
    ]
  }

  /** Leaves a helper or a round early. */
  #exit(place: Place): string {
    const how = place === 'helper' ? `return ${this.#sum('p')}` : this.#pick(['break', 'continue'])
    return `if (${this.#condition(place)}) ${how};`
  }

  #whileLoop(block: string): string {
    const c = `c${++this.#names}`
    const round = `${c}++; ${this.#ping()} ${block}`
    return this.#pick([
      `let ${c} = 0; while (true) { if (${c} >= 2) break; ${round} }`,
      `let ${c} = 0; while (${c} < 2) { ${round} }`,
      `let ${c} = 0; do { ${round} } while (${c} < 2);`,
    ])
  }

  #ping(): string {
    const m = `m${++this.#names}`
    return `yield* send(me, { kind: 'p', v: x, w: y }); const ${m} = yield* receive('p'); y = ${m}.v + 1;`
  }

  #condition(place: Place): string {
    return this.#pick([
      () => `${this.#atom(place)} ${this.#pick(['<', '>=', '===', '!=='])} ${this.#below(4)}`,
      () => '(yield* choose([true, false]))',
      () => `x > 1 && (yield* choose([true, false]))`,
      () => `!(x === y || ${this.#atom(place)} % 2 === 0)`,
    ])()
  }

  #value(place: Place): string {
    const [helper] = this.#helpers.length === 0 ? [undefined] : [this.#pick(this.#helpers)]
    const called = helper === undefined ? '2' : `((yield* ${helper}(${this.#below(4)})) ?? 1)`
    return this.#pick([
      () => this.#sum(this.#atom(place)),
      () => `x + ${called}`,
      () => `${this.#condition(place)} ? ${this.#atom(place)} : ${called}`,
      () => `x++ + ${this.#atom(place)} + (y = ${this.#below(5)})`,
    ])()
  }

  #sum(atom: string): string {
    return `(${atom} ${this.#pick(['+', '-', '*'])} ${this.#pick(['x', 'y', '1', '2'])})`
  }

  #atom(place: Place): string {
    return this.#pick(place === 'helper' ? ['x', 'y', 'p', '3'] : ['x', 'y', '2'])
  }

  #below(limit: number): number {
    return this.#random.below(limit)
  }

  #pick<T>(options: readonly T[]): T {
    return options[this.#below(options.length)] as T
  }
}
