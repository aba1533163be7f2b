/** Fair choices on the way through a handler. */
export interface FairChoices {
  /** Options that there were, and those that were taken; each once, sorted. */
  readonly offered: readonly string[]
  readonly taken: readonly string[]
}

export const noFairChoices: FairChoices = { offered: [], taken: [] }

/** After one more choice; `options` are the names of its options if it is fair, and nothing otherwise. */
export function withOption(fair: FairChoices, options: readonly string[], at: number): FairChoices {
  const taken = options[at]
  if (taken === undefined) return fair
  const sorted = (all: readonly string[]): readonly string[] => [...new Set(all)].sort()
  return { offered: sorted([...fair.offered, ...options]), taken: sorted([...fair.taken, taken]) }
}

/** A name for each option of a choice, which each machine has to itself; `point` is a function, a block and an instruction. */
export function optionNames(process: string, point: readonly number[], count: number): readonly string[] {
  return Array.from({ length: count }, (_, option) => `${process} at ${point.join('.')} takes ${option}`)
}
