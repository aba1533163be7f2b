/** Random shared-memory programs, drawn from a seed: idioms of concurrent code, shuffled together so that they collide. */
import { Random } from '../../src/core/random.ts'
import {
  type Condition,
  fieldsPerObject,
  type Instruction,
  type PlaceOf,
  type ProgramText,
  type Source,
} from './stateful-program.ts'

const registers = 3

export function generateShared(seed: number): ProgramText {
  return new Generator(seed).program()
}

/** An idiom: instructions whose jumps count from its own beginning; a jump to its length leaves it. */
type Idiom = readonly Instruction[]

class Generator {
  readonly #random: Random
  readonly #name: string
  readonly #shared: number
  /** How likely references, locks and loops are in this program: each kind of trouble gets programs full of it. */
  readonly #references: number
  readonly #loops: number
  readonly #locks: number

  constructor(seed: number) {
    this.#random = new Random(Math.imul(seed + 1, 0x85ebca6b)).split()
    this.#name = `shared ${seed}`
    this.#shared = 1 + this.#random.below(3)
    this.#references = this.#random.pick([0, 0, 2, 6])
    this.#loops = this.#random.pick([0, 0, 1, 4])
    this.#locks = this.#random.pick([0, 1, 4])
  }

  program(): ProgramText {
    const processes = this.#random.pick([2, 2, 3, 3, 3, 4])
    const idioms = this.#random.pick(processes === 2 ? [2, 3, 4] : processes === 3 ? [1, 2, 2] : [1, 1, 2])
    const bodies = Array.from({ length: processes }, () => this.#body(1 + this.#random.below(idioms)))
    const later = bodies.flatMap((_, process) => (process > 0 && this.#chance(0.12) ? [process] : []))
    for (const process of later) {
      ;(bodies[process] as Instruction[]).unshift({ kind: 'pause' })
      shiftJumps(bodies[process] as Instruction[], 0)
      const parent = bodies[this.#random.below(process)] as Instruction[]
      const at = this.#random.below(parent.length + 1)
      parent.splice(at, 0, { kind: 'begin', process })
      shiftJumps(parent, at)
    }
    return { name: this.#name, shared: this.#shared, registers, bodies, later }
  }

  #body(idioms: number): Instruction[] {
    const body: Instruction[] = []
    for (let idiom = 0; idiom < idioms; idiom++) {
      const start = body.length
      for (const instruction of this.#idiom()) {
        body.push(instruction.kind === 'jump' ? { ...instruction, to: instruction.to + start } : instruction)
      }
    }
    return body
  }

  #idiom(): Idiom {
    const [r, l, o] = [this.#references, this.#loops, this.#locks]
    const draws: readonly (readonly [number, () => Idiom])[] = [
      [5, () => [this.#action()]],
      [4, () => [this.#action(), this.#action()]],
      [3, () => this.#guarded()],
      [1, () => [{ kind: 'pause' }, this.#action()]],
      [1, () => this.#failing()],
      [o, () => this.#critical()],
      [o, () => [{ kind: 'await', at: this.#flag(), equals: this.#random.below(3) }]],
      [o / 2, () => [{ kind: 'lock', at: this.#flag() }]],
      [l, () => this.#spinLock()],
      [l, () => this.#spin()],
      [l, () => this.#countUp()],
      [l, () => this.#tryAgain()],
      [l / 2, () => this.#diverging()],
      [Math.min(l, o), () => this.#lockAndDiverge()],
      [r, () => this.#push()],
      [r, () => this.#pop()],
      [r, () => [{ kind: 'publish', to: this.#flag(), into: 1 }, this.#action()]],
      [r, () => [{ kind: 'read', into: 1, from: this.#flag() }, this.#action()]],
      [r, () => this.#exchange()],
      [r, () => [{ kind: 'forget', register: this.#register() }, this.#action()]],
    ]
    let draw = this.#random.below(1000 * draws.reduce((sum, [weight]) => sum + weight, 0)) / 1000
    for (const [weight, idiom] of draws) {
      draw -= weight
      if (draw < 0) return idiom()
    }
    return [this.#action()]
  }

  #action(): Instruction {
    const place = this.#place()
    const into = this.#register()
    switch (this.#random.below(this.#references > 0 ? 11 : 9)) {
      case 0:
      case 1:
      case 2:
        return { kind: 'read', into, from: place }
      case 3:
      case 4:
        return { kind: 'write', to: place, value: this.#source() }
      case 5:
        return this.#compareAndSet(place, this.#source(), this.#source(), into)
      case 6:
        return { kind: 'add', to: place, amount: 1 + this.#random.below(2) }
      case 7:
        return { kind: 'copy', from: place, to: this.#place() }
      case 8:
        return this.#chance(0.7) ? { kind: 'readAll', into, of: this.#whole() } : { kind: 'clear', of: this.#whole() }
      case 9:
        return { kind: 'allocate', into }
      default:
        return { kind: 'publish', to: place, into }
    }
  }

  /** Reads, and acts only if it has seen a certain value: what makes processes depend on each other's order. */
  #guarded(): Idiom {
    return [
      { kind: 'read', into: 0, from: this.#place() },
      { kind: 'jump', to: 3, when: this.#condition(0) },
      this.#action(),
    ]
  }

  #failing(): Idiom {
    return [
      { kind: 'read', into: 0, from: this.#place() },
      { kind: 'fail', when: this.#condition(0) },
    ]
  }

  #critical(): Idiom {
    const at = this.#flag()
    return [{ kind: 'lock', at }, this.#action(), { kind: 'unlock', at }]
  }

  #spinLock(): Idiom {
    const at = this.#flag()
    return [
      this.#compareAndSet(at, { constant: 0 }, { constant: 1 }, 0),
      { kind: 'jump', to: 0, when: { register: 0, equals: 0, negated: false } },
      this.#action(),
      { kind: 'write', to: at, value: { constant: 0 } },
    ]
  }

  #spin(): Idiom {
    const idle: readonly Instruction[] = this.#chance(0.4) ? [{ kind: 'pause' }] : []
    return [{ kind: 'read', into: 0, from: this.#flag() }, ...idle, { kind: 'jump', to: 0, when: this.#condition(0) }]
  }

  #countUp(): Idiom {
    const at = this.#flag()
    return [
      { kind: 'read', into: 0, from: at },
      this.#compareAndSet(at, { register: 0, plus: 0 }, { register: 0, plus: 1 }, 1),
      { kind: 'forget', register: 0 },
      { kind: 'jump', to: 0, when: { register: 1, equals: 0, negated: false } },
    ]
  }

  /** Does something and does it again unless it was in time: shared state changes around the loop. */
  #tryAgain(): Idiom {
    const at = this.#flag()
    return [
      { kind: 'write', to: at, value: { constant: 1 } },
      { kind: 'read', into: 0, from: this.#place() },
      { kind: 'write', to: at, value: { constant: 0 } },
      { kind: 'jump', to: 0, when: this.#condition(0) },
    ]
  }

  /** A loop that nobody sees and that has no end, once it is entered. */
  #diverging(): Idiom {
    return [
      this.#chance(0.8) ? { kind: 'read', into: 0, from: this.#place() } : { kind: 'lock', at: this.#flag() },
      { kind: 'jump', to: 4, when: this.#condition(0) },
      { kind: 'pause' },
      { kind: 'jump', to: 2, when: undefined },
    ]
  }

  /** Whoever comes later waits for ever, without the program ever ending. */
  #lockAndDiverge(): Idiom {
    return [{ kind: 'lock', at: this.#flag() }, { kind: 'pause' }, { kind: 'jump', to: 1, when: undefined }]
  }

  /** Afterwards nobody can tell whether two objects have changed places. */
  #exchange(): Idiom {
    return [
      { kind: 'read', into: 0, from: this.#flag() },
      { kind: 'jump', to: 3, when: this.#condition(0) },
      { kind: 'swap', left: this.#place(), right: this.#flag() },
      { kind: 'forget', register: 0 },
    ]
  }

  #push(): Idiom {
    const top = this.#flag()
    return [
      { kind: 'allocate', into: 1 },
      { kind: 'read', into: 2, from: top },
      { kind: 'write', to: { of: 1, field: 0 }, value: { register: 2, plus: 0 } },
      this.#compareAndSet(top, { register: 2, plus: 0 }, { register: 1, plus: 0 }, 0),
      { kind: 'forget', register: 2 },
      { kind: 'jump', to: 1, when: { register: 0, equals: 0, negated: false } },
      ...(this.#chance(0.5) ? [{ kind: 'forget', register: 1 } as const] : []),
    ]
  }

  #pop(): Idiom {
    const top = this.#flag()
    return [
      { kind: 'read', into: 1, from: top },
      { kind: 'jump', to: 6, when: { register: 1, equals: 0, negated: false } },
      { kind: 'read', into: 2, from: { of: 1, field: 0 } },
      this.#compareAndSet(top, { register: 1, plus: 0 }, { register: 2, plus: 0 }, 0),
      { kind: 'forget', register: 2 },
      { kind: 'jump', to: 0, when: { register: 0, equals: 0, negated: false } },
    ]
  }

  #compareAndSet(at: PlaceOf, expected: Source, value: Source, into: number): Instruction {
    return { kind: 'compareAndSet', at, expected, value, into, precise: this.#chance(0.5) }
  }

  #condition(register: number): Condition {
    return { register, equals: this.#random.below(2), negated: this.#chance(0.3) }
  }

  #source(): Source {
    if (this.#chance(0.6)) return { constant: this.#random.below(3) }
    return { register: this.#register(), plus: this.#random.below(2) }
  }

  #place(): PlaceOf {
    if (this.#references > 0 && this.#chance(0.3 + this.#references / 15))
      return { of: this.#random.pick([1, 2]), field: this.#random.below(fieldsPerObject) }
    return this.#flag()
  }

  #flag(): PlaceOf {
    return { shared: this.#random.below(this.#shared) }
  }

  #whole(): number | 'shared' {
    return this.#references > 0 && this.#chance(0.6) ? this.#random.pick([1, 2]) : 'shared'
  }

  #register(): number {
    return this.#random.below(registers)
  }

  #chance(share: number): boolean {
    return this.#random.below(1000) < share * 1000
  }
}

/** Jumps beyond a new instruction lead where they led before. */
function shiftJumps(body: Instruction[], inserted: number): void {
  for (const [at, instruction] of body.entries()) {
    if (instruction.kind !== 'jump' || instruction.to <= inserted) continue
    body[at] = { ...instruction, to: instruction.to + 1 }
  }
}
