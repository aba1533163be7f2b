/** Who plays the same part, for models whose states have a place for each acceptor or process. */
import { reordered } from './lists.ts'

/** By acceptor, and by round and acceptor. */
interface Acceptors {
  readonly promised: readonly number[]
  readonly last: readonly unknown[]
  readonly joins: readonly (readonly unknown[])[]
  readonly votes: readonly (readonly unknown[])[]
}

export function alikeAcceptors<State extends Acceptors>() {
  return {
    parties: ({ promised, last, joins, votes }: State) =>
      promised.map((round, by) => [round, last[by], joins.map((row) => row[by]), votes.map((row) => row[by])]),
    renamed: (state: State, order: readonly number[]): State => ({
      ...state,
      promised: reordered(state.promised, order),
      last: reordered(state.last, order),
      joins: state.joins.map((row) => reordered(row, order)),
      votes: state.votes.map((row) => reordered(row, order)),
    }),
  }
}

export function alikeProcesses<State extends { readonly processes: readonly unknown[] }>() {
  return {
    parties: ({ processes }: State) => processes,
    renamed: (state: State, order: readonly number[]): State => ({
      ...state,
      processes: reordered(state.processes, order),
    }),
  }
}
