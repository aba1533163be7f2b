/**
 * Orders are charged at a payment provider. They come from a queue that delivers at least once, and the provider is asked over HTTP.
 *
 *   npx allways check examples/orders.check.ts -t careless
 *   npx allways check examples/orders.check.ts -t keyed
 *
 * The first charges a customer twice: a response may get lost after the charge, or the order come twice. The second sends a key with
 * each order, by which the provider knows what it has done already.
 */
import { assert, program, spawn } from 'allways'
import { type Endpoint, type HttpRequest, http, type Queue, queue } from 'allways/services'

interface Order {
  readonly id: string
  readonly price: number
}

/** Keeps what it has charged, and by which key. */
function provider() {
  const charges: string[] = []
  const known = new Set<string>()
  return {
    'POST /charges': async ({ body, headers }: HttpRequest) => {
      const { id } = body as unknown as Order
      const key = headers['idempotency-key']
      if (key !== undefined && known.has(key)) return { status: 200 }
      if (key !== undefined) known.add(key)
      charges.push(id)
      await assert(charges.filter((one) => one === id).length === 1, `order ${id} is charged once`)
      return { status: 201 }
    },
  }
}

async function charge(payments: Endpoint, order: Order, isKeyed: boolean) {
  const headers = isKeyed ? { 'idempotency-key': order.id } : {}
  const { status } = await payments.post('/charges', { ...order }, { headers, timeout: 1000 })
  if (status >= 400) throw new Error(`refused with ${status}`)
}

async function fulfil(orders: Queue<Order>, payments: Endpoint, isKeyed: boolean) {
  // An order that was not charged is rejected, and comes again.
  await orders.consume((order) => charge(payments, order, isKeyed))
}

function shop(name: string, isKeyed: boolean) {
  return program(name, { faults: { losses: 1 } }, async () => {
    const kind = { delivery: 'at least once', order: 'fifo', attempts: 2 } as const
    const orders = await queue<Order>({ name: 'orders', ...kind })
    const payments = await http({ name: 'payments', routes: provider })
    await spawn('fulfilment', { daemon: true }, fulfil, orders, payments, isKeyed)
    await orders.send({ id: 'a', price: 30 })
  })
}

export const careless = shop('careless', false)
export const keyed = shop('keyed', true)
