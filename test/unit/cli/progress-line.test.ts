import { describe, expect, test } from 'vitest'
import type { Progress } from '../../../src/check/run.ts'
import { ioOf } from '../../../src/cli/io.ts'
import { ProgressLine, type ProgressSubject, progressText } from '../../../src/cli/progress-line.ts'
import { countedExecutions } from '../../../src/core/verdict.ts'
import { setPageWidth } from '../../../src/reports/text-width.ts'

const counted = countedExecutions
const subject: ProgressSubject = { label: 'raft n=3 fifo', budget: 60_000, before: { explored: 0, share: 0 }, counted }

function progress(milliseconds: number, executions = 100) {
  const counts = { executions, blocked: 0, events: 0, longest: 58 }
  return { counts, milliseconds, violations: 0, explored: 0 }
}

/** What stderr got, and a line to write to it. */
function lineOn(
  isTTY: boolean,
  columns = 100,
  ascii = false,
): { readonly written: string[]; readonly line: ProgressLine<Progress> } {
  const written: string[] = []
  const sink = { write: (text: string) => void written.push(text), isTTY, columns }
  const stdout = { ...sink, write: () => expect.unreachable('progress is not for stdout') }
  const io = ioOf({ cwd: '/', env: {}, stdout, stderr: sink, onInterrupt: () => () => {} })
  return { written, line: new ProgressLine({ io, ascii }, (now: Progress) => progressText(now, subject)) }
}

describe('the text', () => {
  test('names program, executions, rate, longest, elapsed and budget', () => {
    expect(progressText(progress(3000, 18_204), subject)).toBe(
      ' raft n=3 fifo  18,204 explored · 6.1k/s · longest 58 · 0:03 of 1:00 · 0 violated',
    )
  })

  test('adds blocked executions and an estimate when there is one, and counts earlier runs', () => {
    const halfway = {
      counts: { executions: 900, blocked: 100, events: 0, longest: 7 },
      milliseconds: 500,
      violations: 2,
      explored: 0.25,
    }
    const resumed = { label: 'x', budget: undefined, before: { explored: 1000, share: 0.25 }, counted }
    expect(progressText(halfway, resumed)).toBe(
      ' x  2,000 explored · 100 blocked · 2.0k/s · longest 7 · est. 4.0k · 50 % · 0:00 · 2 violated',
    )
  })

  test('a long setting is cut, so that time and violations are seen', () => {
    const label = 'paxos machines=3 proposals=2 indices=1 retries=0 bag'
    expect(progressText(progress(3000, 18_204), { ...subject, label })).toBe(
      ' paxos machines=3 proposals=2 indices=...  18,204 explored · 6.1k/s · longest 58 · 0:03 of 1:00 · 0 violated',
    )
  })

  test('of a search in diagrams is about its depth, its nodes and what is still to be left', () => {
    const either = { ...subject, counted: { names: ['states', 'executions'], isOneOf: true, noun: 'state' } as const }
    const about = { milliseconds: 3000, violations: 0, explored: 0 }
    const states = { ...about, counts: { states: 4348, steps: 17, bddNodes: 200_355 }, now: { frontier: 1204 } }
    expect(progressText(states, either)).toBe(
      ' raft n=3 fifo  step 17 · 4,348 states · 200k nodes · frontier 1.2k · 0:03 of 1:00 · 0 violated',
    )
    const rounds = { ...about, counts: { executions: 0, rounds: 3, bddNodes: 400 }, now: { frontier: 2 ** 80 } }
    expect(progressText(rounds, either)).toBe(
      ' raft n=3 fifo  round 3 · 0 ended · 400 nodes · frontier 1e+24 · 0:03 of 1:00 · 0 violated',
    )
  })

  test('a search that could tell states counts executions where it tells none', () => {
    const either = { ...subject, counted: { names: ['states', 'executions'], noun: 'state' } as const }
    const rounds = { counts: { executions: 512, rounds: 43 }, milliseconds: 1000, violations: 0, explored: 0 }
    expect(progressText(rounds, either)).toContain('  512 explored ·')
    const states = { ...rounds, counts: { states: 117, terminals: 4, steps: 17 } }
    expect(progressText(states, either)).toContain('  117 states ·')
  })

  test('while what was found is confirmed, it says so, and how long that is', () => {
    const one = { ...progress(61_000), confirming: { violations: 1, steps: 16_001 } }
    expect(progressText(one, subject)).toBe(' raft n=3 fifo  confirming a violation of 16,001 steps · 1:01 of 1:00')
    const unknown = { ...one, confirming: { violations: 1, steps: undefined } }
    expect(progressText(unknown, subject)).toContain('  confirming a violation · 1:01')
    const many = { ...one, confirming: { violations: 24, steps: 7 } }
    expect(progressText(many, subject)).toContain('  confirming 24 violations · 1:01')
  })

  test('hours and large numbers stay readable', () => {
    const long = { ...progress(3_723_000, 12_345_678), explored: 0.001 }
    expect(progressText(long, subject)).toContain(
      '12,345,678 explored · 3.3k/s · longest 58 · est. 12G · <1 % · 1:02:03 of 1:00',
    )
  })
})

describe('the line', () => {
  test('on a terminal it is rewritten at most twice a second, cut to the width, and gone at the end', () => {
    const { written, line } = lineOn(true, 30)
    for (const at of [100, 400, 500, 800, 1000, 1100]) line.update(progress(at))
    line.clear()
    expect(written).toHaveLength(3)
    expect(written[0]).toBe('\r\u001b[K raft n=3 fifo  100 explored ')
    expect(written[2]).toBe('\r\u001b[K')
  })

  test('elsewhere it is a plain line every ten seconds', () => {
    const { written, line } = lineOn(false)
    for (let at = 1000; at <= 25_000; at += 1000) line.update(progress(at))
    line.clear()
    expect(written).toHaveLength(2)
    expect(written.every((text) => text.endsWith('\n') && !text.includes('\u001b'))).toBe(true)
  })

  test('elsewhere what is wider than a page goes on in another line', () => {
    const { written, line } = lineOn(false)
    setPageWidth(40)
    line.update(progress(10_000))
    setPageWidth(Number.POSITIVE_INFINITY)
    expect(written).toEqual([' raft n=3 fifo  100 explored · 10/s ·\n', ' longest 58 · 0:10 of 1:00 · 0 violated\n'])
  })

  test('in ASCII it has nothing beyond', () => {
    const { written, line } = lineOn(false, 100, true)
    line.update({ ...progress(10_000), violations: 0 })
    expect(written).toEqual([' raft n=3 fifo  100 explored * 10/s * longest 58 * 0:10 of 1:00 * 0 violated\n'])
  })

  test('that something is confirmed is told at once, and then as often as all else', () => {
    const confirming = { violations: 1, steps: 16_001 }
    for (const isTTY of [false, true]) {
      const { written, line } = lineOn(isTTY)
      for (const at of [500, 550]) line.update(progress(at))
      for (const at of [600, 625, 650]) line.update({ ...progress(at), confirming })
      expect(written.filter((text) => text.includes('confirming')).length, String(isTTY)).toBe(1)
    }
  })

  test('a search that is over at once leaves no trace of it', () => {
    const { written, line } = lineOn(true)
    line.update(progress(50))
    line.clear()
    expect(written).toEqual([])
  })
})
