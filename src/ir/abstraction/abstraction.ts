/**
 * Types whose values are known by their classes alone (predicate abstraction; PSym §6.1 and §7). A class stands for one value, or for many: all values of
 * which the same predicates hold. Each value is in exactly one class.
 */

export interface Abstraction {
  /** The name of a type that the program declares: without a definition, or an enum. */
  readonly type: string
  /** The first one has the value that variables begin with. */
  readonly classes: readonly AbstractClass[]
  /** Functions that the program leaves to others: what they return is a value of one of these classes, by their places. */
  readonly functions: ReadonlyMap<string, readonly number[]>
}

export interface AbstractClass {
  readonly name: string
  readonly isOne: boolean
  /** Of an enum: the numbers of its elements. */
  readonly elements?: readonly number[] | undefined
}

/** So many values of each class that stands for many, and each of them told apart: a program that can be run. */
export function instanceOf(abstraction: Abstraction, values: number): Abstraction {
  const { type, classes, functions } = abstraction
  const members = classes.map((one) => membersOf(one, values))
  const firsts = members.map((_, at) => members.slice(0, at).reduce((sum, all) => sum + all.length, 0))
  const chosen = [...functions].map(([name, places]) => {
    const all = places.flatMap((place) => (members[place] ?? []).map((_, at) => (firsts[place] ?? 0) + at))
    return [name, all] as const
  })
  return { type, classes: members.flat(), functions: new Map(chosen) }
}

function membersOf({ name, isOne, elements }: AbstractClass, values: number): readonly AbstractClass[] {
  if (elements !== undefined)
    return elements.map((element) => ({ name: `${name}#${element}`, isOne: true, elements: [element] }))
  if (isOne) return [{ name, isOne }]
  return Array.from({ length: values }, (_, at) => ({ name: `${name}#${at + 1}`, isOne: true }))
}
