import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Event } from '../../../src/core/event.ts'
import { columns } from '../../../src/reports/columns.ts'
import { mermaid } from '../../../src/reports/mermaid.ts'
import { counterexample } from './executions.ts'
import {
  election,
  electionScript,
  lateWork,
  lateWorkScript,
  lostUpdate,
  lostUpdateScript,
  philosophers,
  philosophersScript,
} from './programs.ts'

const sent = (to: string, value: string): Event => ({
  kind: 'send',
  process: 'a',
  index: 0,
  message: 0,
  to,
  value,
  network: 'fifo',
  notification: false,
})

describe('a sequence diagram', () => {
  test('draws an arrow where a message is received, and notes for the rest', async () => {
    const found = counterexample(lateWork, { script: lateWorkScript })
    await expect(`${mermaid(found)}\n`).toMatchFileSnapshot('./golden/mermaid-assertion.txt')
  })

  test('and columns are as long with two million letters, and say how many are left out', () => {
    const long = { events: [sent('b', 'x'.repeat(2_000_000))], processes: [] }
    for (const drawn of [mermaid(long), columns(long)]) {
      expect(drawn).toContain('… 1,999,962 more characters')
      expect(drawn.length).toBeLessThan(500)
    }
  })

  test('of a deadlock ends with who waits', async () => {
    const found = counterexample(philosophers, { script: philosophersScript })
    await expect(`${mermaid(found)}\n`).toMatchFileSnapshot('./golden/mermaid-deadlock.txt')
  })

  test('of a final condition ends with what was returned', async () => {
    const found = counterexample(lostUpdate, { script: lostUpdateScript })
    await expect(`${mermaid(found)}\n`).toMatchFileSnapshot('./golden/mermaid-final.txt')
  })

  test('of a monitor shows its notifications', async () => {
    const found = counterexample(election(3), { script: electionScript })
    await expect(`${mermaid(found)}\n`).toMatchFileSnapshot('./golden/mermaid-monitor.txt')
  })

  test('escapes what Mermaid would read as syntax', () => {
    const events = [sent('b; end #1', 'say "no" <b>;\n%% end')]
    expect(mermaid({ events, processes: [] }).split('\n')).toEqual([
      'sequenceDiagram',
      '  participant p0 as a',
      '  participant p1 as b#59; e#110;d #35;1',
      '  p0-xp1: #35;0 #34;say #92;#34;no#92;#34; #60;b#62;#59;#92;n#37;#37; e#110;d#34; (not received)',
    ])
  })

  test('has one statement per line, whatever names and values contain', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 40 })
    const statement =
      /^ {2}(?:participant p\d+ as |p\d+(?:->>|-->>|-x)p\d+: |Note over p\d+(?:,p\d+)?: )[^;#]*(?:#\d+;[^;#]*)*$/
    fc.assert(
      fc.property(texts, texts, texts, (name, value, message) => {
        const violation = { kind: 'assertion', property: message, message, process: 'a' } as const
        const events: Event[] = [
          sent(name, value),
          { kind: 'choose', process: name, index: 0, option: 0, options: 2, value },
          { kind: 'spawn', process: name, index: 1, child: value, daemon: false },
          { kind: 'fail', process: name, index: 2, violation },
        ]
        const [first, ...lines] = mermaid({ events, processes: [], violation }).split('\n')
        expect(first).toBe('sequenceDiagram')
        for (const line of lines) expect(line).toMatch(statement)
      }),
      { numRuns: 100, seed: 3 },
    )
  })
})
