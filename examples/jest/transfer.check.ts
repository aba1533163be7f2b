import { assert, program, receive, send, spawn } from 'allways'

const account = async (first: number) => {
  let balance = first
  for (const _ of [1, 2]) {
    balance += await receive<number>()
    await assert(balance >= 0, 'the account is overdrawn')
  }
}

/** Nothing orders what ann takes and what bob puts in. */
export default program('transfer', { params: { first: 10 } }, async ({ first }) => {
  const to = await spawn('account', account, first)
  await spawn('ann', async () => send(to, -10))
  await spawn('bob', async () => send(to, 10))
})
