/** States of a machine and how it gets from one to another, as they are declared. */
export interface StateDiagram {
  readonly machine: string
  readonly kind: 'machine' | 'monitor' | 'scenario'
  readonly states: readonly { readonly name: string; readonly temperature: 'hot' | 'cold' | 'warm' }[]
  /** States by their places. */
  readonly start: number
  readonly steps: readonly StateStep[]
}

interface StateStep {
  readonly from: number
  readonly to: number
  /** The event that is handled on the way, or `entry`. */
  readonly on: string
}
