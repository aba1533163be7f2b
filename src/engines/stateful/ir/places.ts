/** Where in the vector of a state things are: monitors first, then two places for each machine. */
export function localPlace(slot: number): number {
  return 1 + slot * 2
}

export function sentPlace(slot: number): number {
  return 2 + slot * 2
}
