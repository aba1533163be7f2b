import { fileURLToPath } from 'node:url'
import { appendFileSync } from 'node:fs'
import { test } from 'vitest'
import { plantedInClasses } from './async-classes/planted.ts'
import { runBundled } from './jobs/bundle.ts'
const root = fileURLToPath(new URL('../..', import.meta.url))
test.each(plantedInClasses)('$what', { timeout: 600000 }, async ({ what, ...change }) => {
  const printed = await runBundled(root, 'test/agreement/async-classes/compare.ts', ['0', '500', '1'], change)
  const { classes, differences } = JSON.parse(printed)
  appendFileSync('/tmp/plants.txt', `${what}\t${classes}\t${differences.length}\n`)
})
