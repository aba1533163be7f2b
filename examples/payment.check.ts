/**
 * Shops let a bank charge their customers. Messages get lost, so a shop asks again until it has a
 * receipt, and the bank remembers the payments it was asked for last. One machine may crash and
 * come back, with what is `durable` and nothing else.
 *
 *   npx allways check examples/payment.check.ts
 *
 * finds a customer who is charged twice, because the bank has forgotten what it remembered. One
 * edit repairs it: what must be durable? Then it holds, unless more is sold than is remembered:
 *
 *   npx allways check examples/payment.check.ts --param remembers=1
 */
import { conflict, invariant, machine, system } from 'allways'

interface Bank {
  /** Payments that were charged, in order. */
  ledger: string[]
  /** The last of them, not to be charged again. */
  recent: string[]
}

interface Shop {
  /** Payments without receipt, and with. */
  open: string[]
  paid: string[]
}

type Message = { readonly kind: 'charge' | 'receipt'; readonly payment: string }

const bank = machine<Bank, Message, { readonly remembers: number }>('bank', {
  state: () => ({ ledger: [], recent: [] }),
  on: {
    charge(state, { payment }, { args, from, send }) {
      if (!state.recent.includes(payment)) {
        state.ledger.push(payment)
        state.recent = [...state.recent, payment].slice(-args.remembers)
      }
      send(from, { kind: 'receipt', payment })
    },
  },
  durable: ['ledger'],
})

const soon = { milliseconds: 200 }

const shop = machine<Shop, Message>('shop', {
  state: () => ({ open: [], paid: [] }),
  start(state, { setTimer }) {
    if (state.open.length > 0) setTimer('again', soon)
  },
  requests: {
    sell(state, payment: string, { send, setTimer }) {
      if (state.open.length === 0) setTimer('again', soon)
      state.open.push(payment)
      send('bank', { kind: 'charge', payment })
    },
  },
  timers: {
    again(state, { send, setTimer }) {
      for (const payment of state.open) send('bank', { kind: 'charge', payment })
      setTimer('again', soon)
    },
  },
  on: {
    receipt(state, { payment }, { cancelTimer }) {
      if (!state.open.includes(payment)) return
      state.open = state.open.filter((one) => one !== payment)
      state.paid.push(payment)
      if (state.open.length === 0) cancelTimer('again')
    },
  },
  durable: ['open', 'paid'],
})

const chargedOnce = invariant<Bank>('charged once', ({ bank }) => {
  const ledger = bank?.ledger ?? []
  const twice = ledger.find((payment, at) => ledger.indexOf(payment) < at)
  return twice === undefined || `${twice} is charged twice`
})

/** Said in pairs: what a machine states must fit what every other one states. */
const noReceiptWithoutCharge = conflict('no receipt without a charge', {
  each(state: Bank | Shop) {
    if ('ledger' in state) return { ledger: state.ledger, paid: [] }
    return { ledger: null, paid: state.paid }
  },
  conflict: ({ ledger }, { paid }) => ledger !== null && paid.some((one) => !ledger.includes(one)),
})

const options = {
  params: { sales: 1, remembers: 8 },
  faults: { losses: 'any', crashes: 1, restarts: 1 },
} as const

export default system('payment', options, ({ sales, remembers }) => ({
  machines: { bank: bank.as({ remembers }), east: shop.as(), west: shop.as() },
  requests: { east: salesOf('east', sales), west: salesOf('west', sales) },
  invariants: [chargedOnce, noReceiptWithoutCharge],
}))

function salesOf(shop: string, count: number) {
  const numbers = Array.from({ length: count }, (_, at) => at + 1)
  return numbers.map((number) => ['sell', `${shop} ${number}`] as const)
}
