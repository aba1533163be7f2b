/**
 * How much of what could be generated without end a test generates. `npm test` has time for the quick amount of it, and leaves tests
 * with the tag `long` out. `AMOUNT=change` is for every change: none of them twice, all but those with the tag `release`, which are rows
 * of tables like many others and take long, and a twelfth of the way from the quick amount to the rest of what is generated. `AMOUNT=rest` is what `npm test` leaves out: tests with the tag `long`, and those
 * with the tag `cut` with more than the quick amount. `AMOUNT=thorough` is for every release: all tests, and where they generate, up to
 * three times as much as the rest. `AMOUNT=all` is a soak, and takes hours.
 */
const amounts = ['quick', 'rest', 'change', 'thorough', 'all'] as const
const asked = process.env.AMOUNT ?? 'quick'
if (!amounts.some((one) => one === asked)) throw new Error(`AMOUNT is one of ${amounts.join(', ')}, not ${asked}`)

/** `npm test`. */
export const isQuick = asked === 'quick'

/** What `npm test` leaves out or cuts, and nothing else. */
export const isRest = asked === 'rest'

/** All tests and tables, with less generated than is left for a release. */
export const isChange = asked === 'change'

/** Whether little is generated: then shares are less even, and what is to be expected is less. */
export const isLittle = isQuick || isChange

/** `npm run soak -- --what tests`. */
export const isSlow = asked === 'all'

/** Of which tests these are: what the runner filters by. */
export const tagsFilter = { quick: ['!long'], rest: ['long || cut'], change: ['!release'] }[asked]

/** For the options of tests and of groups of them. */
export const long = { tags: ['long'] }
export const cut = { tags: ['cut'] }

/**
 * For tests of rows that are alike, such as networks, by the number of the row: quickly the first row, and for a change every second one as
 * well, another one for each test.
 */
export function byRow(row: number, test = 0): { readonly tags: string[] } {
  return longIf(row > 0, row > 0 && (row + test) % 2 === 0)
}

/** For one test of many; who leaves it to a release has others that say as much of the code. */
export function longIf(isLong: boolean, isForRelease = false): { readonly tags: string[] } {
  return { tags: isForRelease ? ['long', 'release'] : isLong ? ['long'] : [] }
}

/** `test/architecture` sees to it that who asks for `thorough` has tests with the tag `cut`. */
interface Amounts {
  readonly quick: number
  /** As much as `thorough` unless told. */
  readonly rest?: number
  /** As much as `rest` unless told, or else as `quick`. */
  readonly thorough?: number
  readonly all: number
}

/**
 * The first `quick` of what is generated are enough while one works, a twelfth of the way to `rest` for every change, `thorough` of it for
 * every release; `all` of it is for a soak.
 */
export function amount({ quick, all, ...more }: Amounts): number {
  const { thorough = more.rest ?? quick, rest = thorough } = more
  return isSlow ? all : isQuick ? quick : isChange ? between(quick, rest) : isRest ? rest : thorough
}

/** Whole if both are. */
function between(quick: number, rest: number): number {
  const part = quick + (rest - quick) / 12
  return Number.isInteger(quick) && Number.isInteger(rest) ? Math.floor(part) : part
}

/** All of a table, or quickly one row in so many; the other rows are the rest, and some of them are for every change as well. */
export function oneIn<T>(many: number, rows: readonly T[]): readonly T[] {
  if (isChange) return rows.filter((_, at) => at % many === 0 || at % 6 === 1)
  return isQuick || isRest ? rows.filter((_, at) => (at % many === 0) === isQuick) : rows
}

/** All of a table for each of several tests, or quickly every row for one of them, and for a change for half of them. */
export function shareOf<P, T>(part: P, parts: readonly P[], rows: readonly T[]): readonly T[] {
  if (!isLittle) return rows
  const turns = isChange ? parts.length / 2 : 1
  return rows.filter((_, at) => (at + parts.length - parts.indexOf(part)) % parts.length < turns)
}

/** All alternatives for a release, and until then one of them, another one for each number. */
export function inTurn<T>(at: number, alternatives: readonly T[]): readonly T[] {
  return isLittle ? alternatives.slice(at % alternatives.length).slice(0, 1) : alternatives
}

/** What is to be expected at least: of few things that are drawn, shares are less even. */
export function atLeast(expected: number): number {
  return isLittle ? expected / 2 : expected
}

/** The same from above. */
export function atMost(expected: number): number {
  return isLittle ? expected * 2 : expected
}

/**
 * Seeds for one of several tests that are about the same generated things: each of them draws others, so that together they have
 * what one of them has in a soak.
 */
export function seedsOf<T>(part: T, parts: readonly T[], amounts: Amounts): number[] {
  const length = amount(amounts)
  const first = isSlow ? 0 : Math.floor((parts.indexOf(part) * (amounts.all - length)) / (parts.length - 1))
  return Array.from({ length }, (_, index) => first + index)
}
