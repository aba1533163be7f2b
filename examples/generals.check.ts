/**
 * A general sends an order to two lieutenants, who pass it on to each other. One of them is a
 * traitor: it says whatever it likes to anybody, but cannot write the general's signature.
 *
 *   npx allways check examples/generals.check.ts
 *
 * finds a lieutenant that takes an order the general never gave: letters are signed, and nobody
 * looks at who has signed. With
 *
 *   npx allways check examples/generals.check.ts --param looks=true
 *
 * it does. What else may the traitor write? Add it to `says`.
 */
import { byzantine, invariant, machine, type Signed, signed, system } from 'allways'

type Letter = { readonly kind: 'letter'; readonly order: Signed<string> }

interface General {
  /** Orders that it has given. */
  given: string[]
}

interface Lieutenant {
  /** Orders that it has taken, sorted. */
  orders: string[]
}

const general = machine<General, Letter>('general', {
  state: () => ({ given: [] }),
  requests: {
    give(state, order: string, { self, peers, send }) {
      state.given.push(order)
      for (const to of peers) send(to, { kind: 'letter', order: signed(self, order) })
    },
  },
})

const lieutenant = machine<Lieutenant, Letter, { readonly looks: boolean }>('lieutenant', {
  state: () => ({ orders: [] }),
  on: {
    letter(state, { order }, { args, peers, send }) {
      if (args.looks && order.by !== 'general') return
      if (state.orders.includes(order.message)) return
      state.orders = [...state.orders, order.message].sort()
      for (const to of peers) if (to !== 'general') send(to, { kind: 'letter', order })
    },
  },
})

const obedient = invariant<General | Lieutenant>('obedient', (states) => {
  const { given } = states.general as General
  const wrong = (states.anna as Lieutenant).orders.find((order) => !given.includes(order))
  return wrong === undefined || `anna is to ${wrong}, and the general never said so`
})

export default system('generals', { params: { looks: false }, faults: {} }, ({ looks }) => ({
  machines: {
    general: general.as(),
    anna: lieutenant.as({ looks }),
    bert: byzantine(lieutenant, {
      says: ({ self }) => [
        { kind: 'letter', order: signed(self, 'retreat') },
        // Said only if the general ever sends it.
        { kind: 'letter', order: signed('general', 'retreat') },
        { kind: 'letter', order: signed('general', 'attack') },
      ],
    }),
  },
  requests: { general: [['give', 'attack']] },
  invariants: [obedient],
}))
