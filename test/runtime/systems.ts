/** Small systems to run. */
import { machine, system } from '../../src/index.ts'

interface Player {
  hits: number
  goal: number
}
type Ball = { readonly kind: 'ping' | 'pong'; readonly hit: number }

/** Sends the ball until it has come back so often; a ball that does not come back is sent again. */
const server = machine<Player, Ball>('server', {
  state: () => ({ hits: 0, goal: 0 }),
  requests: {
    play(state, goal: number, context) {
      state.goal = goal
      context.send('right', { kind: 'ping', hit: 0 })
      context.setTimer('again', { milliseconds: 10 })
    },
  },
  timers: {
    again(state, context) {
      if (state.hits === state.goal) return
      context.send('right', { kind: 'ping', hit: state.hits })
      context.setTimer('again', { milliseconds: 10 })
    },
  },
  on: {
    pong(state, ball, context) {
      if (ball.hit !== state.hits) return
      state.hits++
      if (state.hits < state.goal) context.send('right', { kind: 'ping', hit: state.hits })
    },
  },
  durable: ['hits', 'goal'],
})

const returner = machine<{ seen: number }, Ball>('returner', {
  state: () => ({ seen: 0 }),
  on: {
    ping(state, ball, context) {
      state.seen++
      context.send(context.from, { kind: 'pong', hit: ball.hit })
    },
  },
})

export const pingPong = system('ping-pong', () => ({
  machines: { left: server.as(), right: returner.as() },
  requests: { left: [['play', 5]] },
}))

interface Account {
  balance: number
  received: number
}
type Money = { readonly kind: 'money'; readonly amount: number; readonly hop: number }

/** Coins wander for ever: every one that comes in goes on to somebody else, sometimes to the account itself. */
const account = machine<Account, Money, { readonly coins: number }>('account', {
  state: ({ args }) => ({ balance: 1000 - args.coins, received: 0 }),
  start(_state, context) {
    for (let coin = 0; coin < context.args.coins; coin++) {
      context.send(context.peers[coin % context.peers.length] as string, { kind: 'money', amount: 1, hop: 0 })
    }
  },
  on: {
    money(state, { amount, hop }, context) {
      state.received++
      state.balance += amount
      // One in seven stays, and one in seven takes another along: balances differ, and the load stays the same.
      if (state.received % 7 === 0) return
      const paid = state.received % 7 === 3 ? 2 : 1
      state.balance -= paid
      const names = [...context.peers, context.self]
      const to = names[(state.received + hop) % names.length] as string
      for (let coin = 0; coin < paid; coin++) context.send(to, { kind: 'money', amount: 1, hop: hop + 1 })
    },
  },
})

export const bank = system('bank', { params: { accounts: 3, coins: 20 }, faults: {} }, ({ accounts, coins }) => ({
  machines: Object.fromEntries(Array.from({ length: accounts }, (_, at) => [`account ${at}`, account.as({ coins })])),
}))

interface Sent {
  sent: number
}
type Item = { readonly kind: 'item' | 'taken'; readonly number: number }

/** Numbers in a row, at most so many of them under way. */
const source = machine<Sent, Item>('source', {
  state: () => ({ sent: 10 }),
  start(_state, context) {
    for (let number = 1; number <= 10; number++) context.send('sink', { kind: 'item', number })
  },
  on: {
    taken(state, _item, context) {
      state.sent++
      context.send('sink', { kind: 'item', number: state.sent })
    },
  },
})

const sink = machine<{ last: number }, Item>('sink', {
  state: () => ({ last: 0 }),
  on: {
    item(state, { number }, context) {
      context.assert(number === state.last + 1, `${number} came after ${state.last}`)
      state.last = number
      context.send('source', { kind: 'taken', number })
    },
  },
})

export const stream = system('stream', { network: 'fifo', faults: {} }, () => ({
  machines: { source: source.as(), sink: sink.as() },
}))
