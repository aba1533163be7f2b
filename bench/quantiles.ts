/** Quantiles as tables: the numbers behind quantile plots. */
import { table } from './measure.ts'

const shares = [0.1, 0.25, 0.5, 0.75, 0.9, 1]

/** One row per name; each row's values are ordered by themselves, as in a quantile plot. */
export function quantileTable(
  title: string,
  rows: readonly (readonly [name: string, values: readonly number[]])[],
  show: (value: number) => string,
  mean?: { readonly name: string; readonly of: (values: readonly number[]) => number },
): string {
  const head = [title, ...shares.map((share) => `${100 * share} %`), ...(mean === undefined ? [] : [mean.name])]
  const lines = rows.map(([name, values]) => [
    name,
    ...shares.map((share) => (values.length === 0 ? '–' : show(quantile(values, share)))),
    ...(mean === undefined ? [] : [values.length === 0 ? '–' : show(mean.of(values))]),
  ])
  return table(head, lines)
}

/** The least value that so many of the values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}

export function arithmeticMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
