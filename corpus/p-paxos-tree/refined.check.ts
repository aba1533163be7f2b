import { pModel, qtree } from 'allways'

interface Proposed {
  readonly ballot: number
  readonly choice: number
  /** The ballot whose value is carried on; 0 without one. */
  readonly after: number
}

const tree = qtree('paxos')

/** What proposers announce, as a quorum tree sees it. */
export default pModel('./model.p', {
  refines: [
    {
      object: tree,
      calls: {
        proposed: ({ ballot, choice, after }: Proposed) => tree.add({ round: ballot, value: choice, parent: after }),
        chosen: (ballot: number) => tree.commit({ round: ballot }),
      },
    },
  ],
})
