/**
 * Two deposits and one account. A deposit reads the balance, adds to it and writes it back, and nothing keeps the other deposit
 * from doing the same in between.
 *
 *   npx allways check examples/bank.check.ts
 *
 * finds the order of messages in which one deposit is lost.
 */
import { type Address, assert, program, receive, self, send, spawn } from 'allways'

type Request = { kind: 'read'; from: Address<number> } | { kind: 'write'; balance: number }

function* deposit(account: Address<Request>, amount: number) {
  yield* send(account, { kind: 'read', from: yield* self<number>() })
  const balance = yield* receive<number>()
  yield* send(account, { kind: 'write', balance: balance + amount })
}

export default program('bank', function* () {
  const account = yield* spawn('account', function* () {
    let balance = 0
    for (let requests = 0; requests < 4; requests++) {
      const request = yield* receive<Request>()
      if (request.kind === 'read') yield* send(request.from, balance)
      else balance = request.balance
    }
    yield* assert(balance === 30, `expected 30, got ${balance}`)
  })
  yield* spawn('ann', deposit, account, 10)
  yield* spawn('ben', deposit, account, 20)
})
