/**
 * Variables that rounds of a loop change and that are one of few values all the same: a flag, or a decision. That they are is shown
 * like any invariant of a loop: it holds before the first round, and after a round if it held before it.
 */
import type { Literal } from '../../program/icet.ts'
import type { Configuration } from './configuration.ts'
import { type Changed, Refusal } from './refusal.ts'
import { constant, keyOf, possibleOf, type Value } from './value.ts'

/** Values that are told apart; numbers are left out, which mostly count. */
const most = 8

/** All values of these, each where it stands, if they are few texts and truth values. */
export function valuesOf(
  values: readonly (readonly [Value | undefined, Configuration])[],
): readonly Literal[] | undefined {
  const all = new Set<Literal>()
  for (const [value, { domainOf }] of values) {
    const possible = value === undefined ? undefined : possibleOf(value, domainOf)
    if (possible === undefined) return undefined
    for (const one of possible) all.add(one)
  }
  const isKept = (one: Literal): boolean => typeof one === 'string' || typeof one === 'boolean'
  return all.size <= most && [...all].every(isKept) ? [...all] : undefined
}

/** Refuses what was said of variables, if it is not so before the first round or after one; then with what may be so. */
export function checkAmong(first: Configuration, ended: Configuration, said: readonly Changed[]): void {
  const changed = said.flatMap(({ party, variable, among }): readonly Changed[] => {
    if (among === undefined) return []
    const values = [first, ended].map((one) => [one.parties.get(party)?.store.get(variable), one] as const)
    if (values.every(([value, { domainOf }]) => isWithin(value && possibleOf(value, domainOf), among))) return []
    const found = valuesOf(values)
    const wider = found === undefined ? undefined : [...new Set([...among, ...found])]
    return [{ party, variable, ...(wider === undefined || wider.length > most ? {} : { among: wider }) }]
  })
  if (changed.length > 0) throw new Refusal('no such step', 'a variable has other values than is said', { changed })
}

function isWithin(values: readonly Literal[] | undefined, among: readonly Literal[]): boolean {
  const known = new Set(among.map((one) => keyOf(constant(one))))
  return values?.every((one) => known.has(keyOf(constant(one)))) === true
}
