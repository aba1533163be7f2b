/** Machines as state diagrams: what a state says, and every `goto` that its functions lead to. */
import { expect, test } from 'vitest'
import { mermaidStates } from '../../../../src/reports/mermaid.ts'
import { stateDiagrams } from '../../../../src/semantics/ir/state-diagrams.ts'
import { does, flag, goto, program, when } from './build.ts'

const ir = program({
  events: ['go', 'stop'],
  machines: {
    Main: {
      states: {
        Wait: { entry: does(when(flag(true), [goto('End')])), on: { go: { goto: 'Work' }, stop: { goto: 'Work' } } },
        Work: { on: { go: does(goto('Wait')), stop: 'ignore' } },
        End: {},
      },
    },
  },
  monitors: {
    Dog: { observes: ['go'], states: { Calm: { temperature: 'cold', on: { go: { goto: 'Calm' } } } } },
  },
})

test('each machine and monitor is a diagram', () => {
  expect(stateDiagrams(ir).map(mermaidStates)).toEqual([
    `stateDiagram-v2
  %% machine Main
  s0: Wait
  s1: Work
  s2: End
  [*] --> s0
  s0 --> s2: entry
  s0 --> s1: go, stop
  s1 --> s0: go`,
    `stateDiagram-v2
  %% monitor Dog
  s0: Calm (cold)
  [*] --> s0
  s0 --> s0: go`,
  ])
})

test('names are no Mermaid syntax', () => {
  const hostile = { machine: 'M\n[*] --> x', kind: 'machine', start: 0 } as const
  const states = [{ name: 'end; style', temperature: 'warm' }] as const
  const text = mermaidStates({ ...hostile, states, steps: [{ from: 0, to: 0, on: 'a"b#' }] })
  expect(text.split('\n')).toHaveLength(5)
  expect(text).toContain('s0: e#110;d#59; s#116;yle')
  expect(text).toContain('s0 --> s0: a#34;b#35;')
})
