/**
 * Searching the states of classes: the four reductions, with and without safe sets, against the full search of the same
 * clients in the same run (thesis Figures 2.7 to 2.10), and how soon the first violation is found (Figures 2.15 to 2.20).
 * Counts are a gate: all variants must find the same outcomes, and the reductions must reduce.
 */
import { provideModule } from '../src/check/load-modules.ts'
import * as index from '../src/index.ts'
import * as sync from '../src/model/sync/sync.ts'
import * as access from '../src/semantics/memory/access.ts'
import { findBugs } from './object-bugs.ts'
import { compareVariants } from './object-variants.ts'

provideModule('allways', index)
provideModule('allways/access', access)
provideModule('allways/sync', sync)

const isQuick = process.argv.includes('--quick')
const problems = [...(await compareVariants(isQuick)), ...(await findBugs(isQuick))]
for (const problem of problems) console.log(`FAILED: ${problem}`)
process.exitCode = problems.length > 0 ? 1 : 0
