/**
 * A shop sends a parcel with a courier, who may find nobody at home and bring it back. The shop sends it again, and again. What must
 * come about: a parcel that was ordered is delivered. Nothing wrong ever happens here, and still it need not come about.
 *
 *   npx allways check examples/parcel.check.ts                         finds it: an execution without end, in which nobody is at home
 *   npx allways check examples/parcel.check.ts --param attempts=2      holds: the courier leaves the parcel with a neighbour then
 */
import { leadsTo, machine, system } from 'allways'

type Message = { readonly kind: 'bring' | 'nobody' | 'delivered' }

interface Shop {
  state: 'idle' | 'ordered' | 'delivered'
}

const shop = machine<Shop, Message>('shop', {
  state: () => ({ state: 'idle' }),
  requests: {
    order(shop, _, { send }) {
      shop.state = 'ordered'
      send('courier', { kind: 'bring' })
    },
  },
  on: {
    nobody: (_shop, _message, { send }) => send('courier', { kind: 'bring' }),
    delivered(shop) {
      shop.state = 'delivered'
    },
  },
})

/** After so many attempts the parcel is left with a neighbour; with 0, never. */
const courier = machine<{ failed: number }, Message, number>('courier', {
  state: () => ({ failed: 0 }),
  on: {
    bring(courier, _, { args: attempts, choose, send, from }) {
      const kind = attempts > 0 && courier.failed === attempts ? 'delivered' : choose(['delivered', 'nobody'] as const)
      if (kind === 'nobody' && attempts > 0) courier.failed++
      send(from, { kind })
    },
  },
})

const delivered = leadsTo<Shop>(
  'a parcel is delivered',
  ({ shop }) => shop?.state === 'ordered',
  ({ shop }) => shop?.state === 'delivered',
)

export default system('parcel', { params: { attempts: 0 }, faults: {} }, ({ attempts }) => ({
  machines: { shop: shop.as(), courier: courier.as(attempts) },
  requests: { shop: [['order']] },
  liveness: [delivered],
}))
