/** Agreement: one engine must explore exactly the classes of another, each of them once. */
import type { Explored } from './explored.ts'

/** What is wrong with a search that should see each class of `truth` exactly once, or nothing. */
export function disagreement(truth: Explored, found: Explored): string | undefined {
  if (found.stopped !== undefined) return `the search stopped: ${found.stopped}`
  const missing = [...truth.classes.keys()].filter((key) => !found.classes.has(key))
  const extra = [...found.classes.keys()].filter((key) => !truth.classes.has(key))
  const repeated = [...found.classes].filter(([, times]) => times > 1).map(([key, times]) => `${times} times\n${key}`)
  const problems = [
    ...listed(`${missing.length} of ${truth.classes.size} executions are missing`, missing),
    ...listed(`${extra.length} executions do not exist`, extra),
    ...listed(`${repeated.length} executions are explored again`, repeated),
    ...listed('different executions are blocked', difference(truth.blocked, found.blocked)),
    ...listed('different violations are found', difference(truth.violations, found.violations)),
  ]
  return problems.length === 0 ? undefined : problems.join('\n')
}

function listed(headline: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [headline, ...items.slice(0, 2).map((item) => item.replace(/^/gm, '  '))]
}

function difference(expected: ReadonlySet<string>, found: ReadonlySet<string>): string[] {
  const missing = [...expected].filter((item) => !found.has(item)).map((item) => `missing: ${item}`)
  return [...missing, ...[...found].filter((item) => !expected.has(item)).map((item) => `extra: ${item}`)]
}
