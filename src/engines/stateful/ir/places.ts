/**
 * Where in the vector of a state things are: two places for the first machine, one for the monitors, then two for each other machine. The first machine comes
 * first, because the vectors of a program that has no other and no monitors are then as narrow as a vector can be.
 */
export const monitorPlace = 2

export function localPlace(slot: number): number {
  return slot === 0 ? 0 : 1 + slot * 2
}

export function sentPlace(slot: number): number {
  return slot === 0 ? 1 : 2 + slot * 2
}
