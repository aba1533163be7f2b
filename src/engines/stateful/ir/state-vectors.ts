/** Vectors of states by number, as exact tables (`VectorTable`) and fingerprints have them. */
export interface StateVectors {
  /** The vector without anything is among them. */
  readonly size: number
  readonly bytes: number
  /** Makes a vector the current one. */
  load(number: number): void
  get(place: number): number
  set(place: number, value: number): void
  /** It is likely that a vector is stored soon that is like the loaded one but for this place. */
  expect(place: number, value: number): void
  /** The number of the current vector; what was loaded is the current one again. */
  store(): number
  /** The number of the current vector, which is the loaded one from now on. */
  follow(): number
  /** Makes what was loaded the current vector again. */
  abandon(): void
}
