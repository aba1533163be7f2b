/** Both ways to look ahead, on graphs made by hand: objects change their numbers along edges. */
import { describe, expect, test } from 'vitest'
import { Actions } from '../../../../src/engines/stateful/actions.ts'
import { Eager } from '../../../../src/engines/stateful/eager.ts'
import type { Foresight } from '../../../../src/engines/stateful/foresight.ts'
import { Edges, Graph, nowhere } from '../../../../src/engines/stateful/graph.ts'
import { Lazy } from '../../../../src/engines/stateful/lazy.ts'
import { type AccessMode, accessModes, wholeObject } from '../../../../src/program/stateful.ts'

const { read, write, add } = accessModes
const same: readonly number[] = [0, 1, 2]
const everybody = 0b1111

interface Edge {
  readonly process: number
  readonly object?: number
  readonly part?: number
  readonly mode?: AccessMode
  readonly to: number
  readonly renaming?: readonly number[]
}

/** A graph whose states are 0, 1 …, as edges of each; components are given last closed last, each last met first. */
function graphOf(
  kind: 'eager' | 'lazy',
  states: readonly (readonly Edge[])[],
  components: readonly (readonly number[])[],
): (state: number, accesses: readonly [object: number, part: number, mode: AccessMode]) => number {
  const [graph, actions] = [new Graph(), new Actions()]
  const foresight: Foresight = kind === 'eager' ? new Eager(graph, actions) : new Lazy(graph, actions)
  for (const _ of states) graph.add()
  for (const [state, leaving] of states.entries()) {
    const edges = new Edges()
    for (const { process, object, part = 0, mode = write, to, renaming = same } of leaving) {
      const accesses = object === undefined ? [] : [{ object, part, mode }]
      edges.add(to, actions.label({ process, visible: true, accesses }), actions.renaming(renaming))
    }
    graph.complete(state, edges)
  }
  for (const component of components) foresight.closed(component)
  return (state, [object, part, mode]) =>
    foresight.dependents(
      state,
      actions.label({ process: 0, visible: true, accesses: [{ object, part, mode }] }),
      everybody,
    )
}

describe.each(['eager', 'lazy'] as const)('%s', (kind) => {
  test('finds who accesses the same part of the same object later, unless both read or both add', () => {
    const later: readonly Edge[] = [
      { process: 1, object: 0, part: 1, mode: read, to: nowhere },
      { process: 2, object: 0, part: 2, mode: add, to: nowhere },
      { process: 3, object: 1, part: 1, mode: write, to: nowhere },
    ]
    const dependents = graphOf(kind, [[{ process: 1, to: 1 }], later], [[1], [0]])
    expect(dependents(0, [0, 1, write])).toBe(0b0011)
    expect(dependents(0, [0, 1, read])).toBe(0b0001)
    expect(dependents(0, [0, 2, add])).toBe(0b0001)
    expect(dependents(0, [0, 2, read])).toBe(0b0101)
    expect(dependents(0, [0, wholeObject, write])).toBe(0b0111)
    expect(dependents(0, [1, 1, add])).toBe(0b1001)
  })

  test('follows an object that is renumbered, and forgets one that is lost', () => {
    const dependents = graphOf(
      kind,
      [[{ process: 1, to: 1, renaming: [2, 0, -1] }], [{ process: 2, object: 0, to: nowhere }]],
      [[1], [0]],
    )
    expect([0, 1, 2].map((object) => dependents(0, [object, 0, write]))).toEqual([0b001, 0b101, 0b001])
  })

  test('does not take a new object for an old one whose number it has', () => {
    const dependents = graphOf(
      kind,
      [[{ process: 1, to: 1, renaming: [1, 2] }], [{ process: 2, object: 0, to: nowhere }]],
      [[1], [0]],
    )
    expect([0, 1].map((object) => dependents(0, [object, 0, write]))).toEqual([0b001, 0b001])
  })

  test('looks at a state once for every number that the object can have there', () => {
    const dependents = graphOf(
      kind,
      [
        [
          { process: 1, to: 1 },
          { process: 1, to: 1, renaming: [1, 0, 2] },
        ],
        [{ process: 2, object: 1, to: nowhere }],
      ],
      [[1], [0]],
    )
    expect([0, 1, 2].map((object) => dependents(0, [object, 0, write]))).toEqual([0b101, 0b101, 0b001])
  })

  test('goes round a cycle until every number has come up', () => {
    const dependents = graphOf(
      kind,
      [
        [{ process: 1, to: 1 }],
        [
          { process: 1, to: 0, renaming: [1, 2, 0] },
          { process: 2, object: 2, to: nowhere },
        ],
      ],
      [[1, 0]],
    )
    expect([0, 1, 2].map((object) => dependents(0, [object, 0, write]))).toEqual([0b101, 0b101, 0b101])
    expect([0, 1, 2].map((object) => dependents(0, [object, 1, write]))).toEqual([0b001, 0b001, 0b001])
  })

  test('goes round a step that leads back to its own state', () => {
    const loop: readonly Edge[] = [
      { process: 1, to: 0, renaming: [1, 2, 0] },
      { process: 2, object: 0, to: nowhere },
    ]
    const dependents = graphOf(kind, [loop], [[0]])
    expect([0, 1, 2].map((object) => dependents(0, [object, 0, write]))).toEqual([0b101, 0b101, 0b101])
  })

  test('sees to the end of an execution of 5,000 steps', () => {
    const length = 5000
    const states = Array.from({ length }, (_, state): readonly Edge[] =>
      state === length - 1
        ? [{ process: 3, object: 1, to: nowhere }]
        : [{ process: 1, object: 0, mode: read, to: state + 1 }],
    )
    const components = states.map((_, state) => [state]).reverse()
    expect(graphOf(kind, states, components)(0, [1, 0, write])).toBe(0b1001)
  })
})
