/**
 * A lease without a fencing token. The holder counts its term from before it asks, and stops when that is over; the owner counts a
 * margin more from when it grants, and then takes the thing back. Nothing but clocks keeps the two apart.
 */
import {
  type Address,
  announce,
  assert,
  monitor,
  type Notification,
  program,
  receive,
  self,
  send,
  spawn,
} from 'allways'

type Asks = { kind: 'ask'; from: Address<Granted> }
type Granted = { kind: 'granted' }

const term = 100

const oneUser = monitor('one user', { observes: ['uses', 'stops'] }, async () => {
  let users = 0
  for (;;) {
    const { message } = await receive<Notification<{ kind: 'uses' | 'stops' }>>()
    users += message.kind === 'uses' ? 1 : -1
    await assert(users <= 1, 'two use it at once')
  }
})

function timeout(milliseconds: number): Promise<'over'> {
  return new Promise((resolve) => setTimeout(() => resolve('over'), milliseconds))
}

async function hold(owner: Address<Asks>): Promise<void> {
  const over = timeout(term)
  await send(owner, { kind: 'ask', from: await self<Granted>() })
  if ((await Promise.race([receive<Granted, 'granted'>('granted'), over])) === 'over') return
  await announce({ kind: 'uses' })
  await over
  await announce({ kind: 'stops' })
}

type Clocks = { clock?: 'any' | 'synchronous'; clockSkew?: number }

const lease = (name: string, clocks: Clocks, isWatched = true) =>
  program(name, { ...clocks, params: { margin: 10 }, properties: isWatched ? [oneUser] : [] }, async ({ margin }) => {
    await spawn('holder', hold, await self<Asks>())
    const { from } = await receive<Asks>()
    await send(from, { kind: 'granted' })
    await timeout(term + margin)
    await announce({ kind: 'uses' })
  })

export const anyClock = lease('any clock', {})
export const sameClock = lease('same clock', { clock: 'synchronous' })
export const closeClocks = lease('close clocks', { clock: 'synchronous', clockSkew: 9 })
export const farClocks = lease('far clocks', { clock: 'synchronous', clockSkew: 10 })
/** Without the monitor there are few enough interleavings for all of them. */
export const unwatched = lease('unwatched', { clock: 'synchronous' }, false)
