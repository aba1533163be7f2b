/** Executions without end in pictures: where the steps begin that repeat for ever. */
import { describe, expect, test } from 'vitest'
import type { Event } from '../../../src/core/event.ts'
import { columns } from '../../../src/reports/columns.ts'
import { mermaid } from '../../../src/reports/mermaid.ts'

const sent = { kind: 'send', process: 'ann', index: 0, message: 0, to: 'ben', value: 1, network: 'bag' } as const
const events: readonly Event[] = [
  { ...sent, notification: false },
  { kind: 'receive', process: 'ben', index: 0, message: 0, from: 'ann', value: 1 },
  { kind: 'choose', process: 'ben', index: 1, option: 0, options: 1, value: 2 },
]

function rows(eventsBeforeRound: number | undefined): readonly string[] {
  const lines = columns({ events, processes: [], eventsBeforeRound }, { legend: false }).split('\n')
  return lines.slice(1).map((line) => line.trim())
}

describe('the picture of an execution without end', () => {
  test('has one row for a message that is sent and received, unless what repeats begins between', () => {
    expect(rows(undefined).map((row) => row.split(' ')[0])).toEqual(['1–2', '3'])
    expect(rows(1).map((row) => row.split('  ')[0])).toEqual([
      '1',
      'these 2 steps can repeat for ever, with these choices each time',
      '2',
      '3',
    ])
  })

  test('says of one step that it can repeat, and of none that nothing has to happen', () => {
    expect(rows(2)).toContain('this step can repeat for ever, with these choices each time')
    expect(rows(3).at(-1)).toBe('nothing more has to happen: this can last for ever')
  })

  test('is a loop in a sequence diagram, or a note', () => {
    const lines = (eventsBeforeRound: number) => mermaid({ events, processes: [], eventsBeforeRound }).split('\n')
    expect(lines(2).slice(-3)).toEqual([
      '  loop this step can repeat for ever, with these choices each time',
      expect.stringMatching(/^ {2}Note over p1: chooses 2/),
      '  end',
    ])
    expect(lines(3).at(-1)).toBe('  Note over p0: nothing more has to happen: this can last for ever')
  })
})
