/**
 * A lock service and a disk, as async functions. Whoever holds the lock writes to the disk and then lets go. That is safe only
 * if the disk hears of the writes in the order in which they were sent, and the lock is no guarantee for that: the writes come from
 * different processes, and the network may deliver the second one first.
 *
 *   npx allways check examples/lock.check.ts                       finds it: fifo keeps order per pair of processes only
 *   npx allways check examples/lock.check.ts --network causal      holds
 */
import { type Address, assert, program, receive, self, send, spawn } from 'allways'

type LockRequest = { kind: 'acquire'; from: Address<Granted> } | { kind: 'release' }
interface Granted {
  kind: 'granted'
  /** How many held the lock before. */
  turn: number
}
interface Write {
  kind: 'write'
  turn: number
}

async function lock(clients: number) {
  for (let turn = 0; turn < clients; turn++) {
    const { from } = await receive<LockRequest, 'acquire'>('acquire')
    await send(from, { kind: 'granted', turn })
    await receive<LockRequest, 'release'>('release')
  }
}

async function disk(clients: number) {
  for (let turn = 0; turn < clients; turn++) {
    const write = await receive<Write>()
    await assert(write.turn === turn, `the write of holder ${write.turn} overtook the write of holder ${turn}`)
  }
}

async function client(lockService: Address<LockRequest>, storage: Address<Write>) {
  await send(lockService, { kind: 'acquire', from: await self<Granted>() })
  const { turn } = await receive<Granted>('granted')
  await send(storage, { kind: 'write', turn })
  await send(lockService, { kind: 'release' })
}

export default program('lock', { params: { clients: 2 } }, async ({ clients }) => {
  const lockService = await spawn<LockRequest, [number]>('lock', lock, clients)
  const storage = await spawn<Write, [number]>('disk', disk, clients)
  for (let i = 1; i <= clients; i++) await spawn(`client ${i}`, client, lockService, storage)
})
