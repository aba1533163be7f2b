/** The table of program kinds × engines in ARCHITECTURE.md is what the registry says, and every cell has its agreement test. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ViewName } from '../../src/program/program.ts'
import { cells, type Kind, table } from './matrix.ts'

const offered = (...views: readonly ViewName[]) => ({ has: (view: ViewName): boolean => views.includes(view) })

const kinds: readonly Kind[] = [
  { name: 'processes', ...offered('runnable', 'path'), judges: ['assertion', 'exception', 'deadlock'] },
  { name: 'machines', ...offered('machines', 'stateful', 'runnable', 'path'), judges: ['assertion', 'invariant'] },
  { name: 'classes', ...offered('stateful', 'path'), judges: ['exception', 'deadlock', 'linearizability'] },
  { name: 'processes in any number', ...offered('icet', 'runnable', 'path'), judges: ['assertion', 'deadlock'] },
  // What is asked of machines together, by monitors or of those that wait, `local` refuses with its place.
  { name: 'P programs', ...offered('ir', 'path', 'runnable', 'machines'), judges: ['assertion', 'exception'] },
  { name: 'recorded histories', ...offered('calls'), judges: ['linearizability'] },
  { name: 'logs of machines', ...offered('logged'), judges: ['refinement'] },
]

/** Where each cell is compared with an oracle that works differently. */
const agreement: { readonly [cell: string]: string } = {
  'processes dpor': 'agreement/agreement.test.ts',
  'processes exhaustive': 'agreement/agreement.test.ts',
  'processes random': 'agreement/sampled.test.ts',
  'processes pct': 'agreement/sampled.test.ts',
  'processes stateful': 'agreement/stateful-paths.test.ts',
  'machines dpor': 'agreement/machines.test.ts',
  'machines exhaustive': 'agreement/machines.test.ts',
  'machines random': 'agreement/sampled.test.ts',
  'machines pct': 'agreement/sampled.test.ts',
  'machines stateful': 'agreement/machine-bag.test.ts',
  'machines local': 'agreement/local.test.ts',
  'classes dpor': 'agreement/object-engines.test.ts',
  'classes exhaustive': 'agreement/object-engines.test.ts',
  'classes random': 'agreement/object-engines.test.ts',
  'classes pct': 'agreement/object-engines.test.ts',
  'classes stateful': 'agreement/objects.test.ts',
  'processes in any number dpor': 'agreement/sequentialize.test.ts',
  'processes in any number exhaustive': 'agreement/agreement.test.ts',
  'processes in any number random': 'agreement/sampled.test.ts',
  'processes in any number pct': 'agreement/sampled.test.ts',
  'processes in any number stateful': 'agreement/stateful-paths.test.ts',
  'processes in any number sequentialize': 'agreement/sequentialize.test.ts',
  'P programs dpor': 'agreement/p/views.test.ts',
  'P programs exhaustive': 'agreement/p/agreement.test.ts',
  'P programs random': 'waist/ir-paths.test.ts',
  'P programs pct': 'waist/ir-paths.test.ts',
  'P programs stateful': 'agreement/p/agreement.test.ts',
  'P programs local': 'agreement/p/views.test.ts',
  'P programs symbolic': 'agreement/p/symbolic.test.ts',
  'recorded histories histories': 'histories/corpus.test.ts',
  'logs of machines logs': 'agreement/logs.test.ts',
}

describe('the matrix', () => {
  test('in ARCHITECTURE.md is the one that the registry makes', () => {
    expect(readFileSync('ARCHITECTURE.md', 'utf8')).toContain(table(kinds))
  })

  test('has an agreement test behind every filled cell, and none behind an empty one', () => {
    const filled = cells(kinds).map(({ kind, engine }) => `${kind} ${engine}`)
    expect(filled.sort()).toEqual(Object.keys(agreement).sort())
    for (const file of Object.values(agreement)) expect(existsSync(`test/${file}`), file).toBe(true)
  })
})
