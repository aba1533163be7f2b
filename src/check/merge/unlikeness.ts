/** Reports that have nothing in common are not of one search, although each would be one with parts missing. */
import type { Diagnostic } from '../../core/diagnostic.ts'
import { scopeText } from '../../reports/merged.ts'
import { type ReadReport, type ShardReport, searchKey, unfit } from './read-report.ts'

export function unlikeness(reports: readonly ReadReport[]): readonly Diagnostic[] {
  const [first, ...others] = reports.filter(({ shards }) => shards.length > 0)
  if (first === undefined) return []
  const known = new Set(first.shards.map(searchKey))
  const unlike = others.find(({ shards }) => !shards.some((one) => known.has(searchKey(one))))
  if (unlike === undefined) return []
  const searches = `${first.report} is of ${aboutFirst(first)}, and ${unlike.report} of ${aboutFirst(unlike)}`
  return [unfit(`reports are not of one search: ${searches}`, 'name reports of one search, or run merge for each')]
}

function aboutFirst({ shards }: ReadReport): string {
  return scopeText((shards[0] as ShardReport).result)
}
