/**
 * A booking endpoint: look whether the room is free, then book it, in one transaction. Two guests ask at once, and `isolation` is what
 * the database promises about the two.
 *
 *   npx allways check examples/booking.check.ts -t careless
 *   npx allways check examples/booking.check.ts -t persistent
 *   npx allways check examples/booking.check.ts -t locking
 *
 * At snapshot isolation both see a free room, and both get it: write skew. The others hold: serializable, where the one that is given
 * up tries again; and a lock on the room, with statements that see what was committed before them.
 */
import { final, program, spawn } from 'allways'
import { type Database, DatabaseError, database, type Isolation } from 'allways/services'

interface Booking {
  readonly from: number
  readonly to: number
}
type Hotel = Database<{ bookings: Booking; rooms: { readonly floor: number } }>
type Outcome = 'booked' | 'taken'

async function book(hotel: Hotel, guest: string, { from, to }: Booking): Promise<Outcome> {
  return await hotel.transaction(async (tx) => {
    const others = await tx.scan('bookings', { from: { lt: to }, to: { gt: from } })
    if (others.size > 0) return 'taken'
    await tx.insert('bookings', guest, { from, to })
    return 'booked'
  })
}

/** A transaction that was given up is tried again. */
async function bookAgain(hotel: Hotel, guest: string, hours: Booking): Promise<Outcome> {
  for (;;) {
    try {
      return await book(hotel, guest, hours)
    } catch (error) {
      if (!(error instanceof DatabaseError && error.reason === 'serialization')) throw error
    }
  }
}

/** The row of the room stands for its bookings: who has it locked is alone with them. */
async function bookLocked(hotel: Hotel, guest: string, { from, to }: Booking): Promise<Outcome> {
  return await hotel.transaction(async (tx) => {
    await tx.get('rooms', 'blue', { lock: true })
    const others = await tx.scan('bookings', { from: { lt: to }, to: { gt: from } })
    if (others.size > 0) return 'taken'
    await tx.insert('bookings', guest, { from, to })
    return 'booked'
  })
}

function bookings(name: string, usual: Isolation, body: typeof book) {
  const once = final('the room is booked once', ({ returned }) => {
    return [returned.get('ann'), returned.get('ben')].filter((one) => one === 'booked').length === 1
  })
  const options = { params: { isolation: usual }, properties: [once] }
  return program(name, options, async ({ isolation }) => {
    const hotel = await database<{ bookings: Booking; rooms: { readonly floor: number } }>({
      isolation: isolation as Isolation,
      tables: { bookings: {}, rooms: { rows: { blue: { floor: 1 } } } },
    })
    await spawn('ann', body, hotel, 'ann', { from: 9, to: 11 })
    await spawn('ben', body, hotel, 'ben', { from: 10, to: 12 })
  })
}

export const plain = bookings('careless', 'snapshot', book)
export const again = bookings('persistent', 'serializable', bookAgain)
export const locked = bookings('locking', 'read committed', bookLocked)
