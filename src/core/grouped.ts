/**
 * A number as English writes it, 1,204. Where it is asked for that, the host loads its tables of languages, which takes longer than
 * anything else of a start.
 */
export function grouped(count: number | bigint): string {
  return String(count).replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, ','))
}
