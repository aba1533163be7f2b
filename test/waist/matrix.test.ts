/** The table of program kinds × engines in ARCHITECTURE.md is what the registry says, and every cell has its agreement test. */
import { readFileSync } from 'node:fs'
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

const generatedProcesses = 'generated programs have the same ends and violations'
const ofVerdicts = 'asked for a verdict'
const sampledKinds = 'describe.each(kinds)'
const anyNumber = 'exhaustive search has the classes and violations of dpor, and samples are among them'
const generatedP = 'have the outcomes that the interpreter says, under every delivery'
const viewsOfP = 'have the same outcomes as processes, each class of executions once, and as machines apart'

/** Where each cell is compared with an oracle that works differently: the file, and words of the test in it. */
const agreement: { readonly [cell: string]: readonly [file: string, test: string] } = {
  'processes dpor': ['agreement/agreement.test.ts', 'dpor explores each execution of'],
  'processes exhaustive': [
    'agreement/networks.test.ts',
    'the interleavings under %s are exactly the consistent graphs of the paper',
  ],
  'processes random': ['agreement/sampled.test.ts', sampledKinds],
  'processes pct': ['agreement/sampled.test.ts', sampledKinds],
  'processes stateful': ['agreement/stateful-paths.test.ts', generatedProcesses],
  'machines dpor': ['agreement/machines.test.ts', ofVerdicts],
  'machines exhaustive': ['agreement/machines.test.ts', ofVerdicts],
  'machines random': ['agreement/sampled.test.ts', sampledKinds],
  'machines pct': ['agreement/sampled.test.ts', sampledKinds],
  'machines stateful': ['agreement/machine-bag.test.ts', 'local, stateful and dpor agree on'],
  'machines local': ['agreement/machine-bag.test.ts', 'local, stateful and dpor agree on'],
  'classes dpor': ['agreement/object-engines.test.ts', 'generated classes'],
  'classes exhaustive': ['agreement/object-engines.test.ts', 'generated classes'],
  'classes random': ['agreement/object-engines.test.ts', 'generated classes'],
  'classes pct': ['agreement/object-engines.test.ts', 'generated classes'],
  'classes stateful': ['agreement/objects.test.ts', 'all variants agree with the full search on small clients'],
  'processes in any number dpor': ['agreement/sequentialize.test.ts', 'holds for all sizes up to 3'],
  'processes in any number exhaustive': ['agreement/any-number.test.ts', anyNumber],
  'processes in any number random': ['agreement/any-number.test.ts', anyNumber],
  'processes in any number pct': ['agreement/any-number.test.ts', anyNumber],
  'processes in any number stateful': [
    'agreement/any-number.test.ts',
    'states that are remembered have the ends and violations of all interleavings',
  ],
  'processes in any number sequentialize': ['agreement/sequentialize.test.ts', 'holds for all sizes up to 3'],
  'P programs dpor': ['agreement/p/views.test.ts', viewsOfP],
  'P programs exhaustive': ['agreement/p/agreement.test.ts', generatedP],
  'P programs random': ['agreement/p/sampled.test.ts', 'test.each([random, pct])'],
  'P programs pct': ['agreement/p/sampled.test.ts', 'test.each([random, pct])'],
  'P programs stateful': ['agreement/p/agreement.test.ts', generatedP],
  'P programs local': ['agreement/p/views.test.ts', viewsOfP],
  'P programs symbolic': ['agreement/p/symbolic.test.ts', 'of programs of P'],
  'recorded histories histories': ['histories/corpus.test.ts', 'shortcuts: true'],
  'logs of machines logs': ['agreement/logs.test.ts', 'a log is judged as all orders of its events are, one by one'],
}

describe('the matrix', () => {
  test('in ARCHITECTURE.md is the one that the registry makes', () => {
    expect(readFileSync('ARCHITECTURE.md', 'utf8')).toContain(table(kinds))
  })

  test('has an agreement test behind every filled cell, and none behind an empty one', () => {
    const filled = cells(kinds).map(({ kind, engine }) => `${kind} ${engine}`)
    expect(filled.sort()).toEqual(Object.keys(agreement).sort())
    for (const [file, words] of Object.values(agreement))
      expect(readFileSync(`test/${file}`, 'utf8'), file).toContain(words)
  })
})
