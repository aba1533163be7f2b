import { pModel } from 'allways'

/** The key and the value that the client remembers, and all others. */
export default pModel('./model.p', {
  abstract: {
    Key: {
      classes: { key: 'one', otherKeys: 'many' },
      functions: { theKey: ['key'], otherKey: ['otherKeys'] },
    },
    Val: {
      classes: { val: 'one', otherVals: 'many' },
      functions: { theVal: ['val'], anyVal: ['val', 'otherVals'] },
    },
  },
})
