/** Machines by number: those of the declaration first, and then others, in the order in which somebody speaks of them. */
export class MachineNumbers {
  readonly #names: string[]
  readonly #numbers: Map<string, number>

  constructor(declared: readonly string[]) {
    this.#names = [...declared]
    this.#numbers = new Map(declared.map((name, machine) => [name, machine]))
  }

  of(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.#names.length)
    return this.#names.push(name) - 1
  }

  name(machine: number): string | undefined {
    return this.#names[machine]
  }
}
