/**
 * Two buyers and a seller: the first buyer asks for a title, both are quoted the price, the first says what it would pay, and the
 * second accepts and is told the date of shipping, or quits.
 */
import { type Address, choose, type Process, program, receive, self, send, spawn } from 'allways'

type Title = {
  readonly kind: 'title'
  readonly first: Address<Quote | Shipping>
  readonly second: Address<Quote | Shipping>
}
type Quote = { readonly kind: 'quote'; readonly price: number; readonly from: Address<Offer | Details> }
type Share = { readonly kind: 'share'; readonly price: number }
type Offer = { readonly kind: 'offer'; readonly accepted: boolean; readonly from: Address<Shipping> }
type Details = { readonly kind: 'details'; readonly street: string }
type Shipping = { readonly kind: 'shipping'; readonly date: string }

function* seller(): Process<Title | Offer | Details> {
  const me = yield* self<Offer | Details>()
  const { first, second } = yield* receive<Title>('title')
  yield* send(first, { kind: 'quote', price: 20, from: me })
  yield* send(second, { kind: 'quote', price: 20, from: me })
  const offer = yield* receive<Offer>('offer')
  if (offer.accepted) {
    yield* receive<Details>('details')
    yield* send(offer.from, { kind: 'shipping', date: 'tomorrow' })
  }
}

function* secondBuyer(): Process<Quote | Share | Shipping> {
  const me = yield* self<Shipping>()
  const { from } = yield* receive<Quote>('quote')
  yield* receive<Share>('share')
  const accepted = yield* choose([true, false])
  yield* send(from, { kind: 'offer', accepted, from: me })
  if (accepted) {
    yield* send(from, { kind: 'details', street: 'Main Street' })
    yield* receive<Shipping>('shipping')
  }
}

export const twoBuyers = program('two buyers', function* () {
  const me = yield* self<Quote | Shipping>()
  const selling = yield* spawn('seller', seller)
  const buying = yield* spawn('second buyer', secondBuyer)
  yield* send(selling, { kind: 'title', first: me, second: buying })
  const { price } = yield* receive<Quote>('quote')
  yield* send(buying, { kind: 'share', price: price / 2 })
})

export const noDetails = program('two buyers, no details', function* () {
  const me = yield* self<Quote | Shipping>()
  const selling = yield* spawn('seller', seller)
  const buying = yield* spawn('second buyer', vagueBuyer)
  yield* send(selling, { kind: 'title', first: me, second: buying })
  const { price } = yield* receive<Quote>('quote')
  yield* send(buying, { kind: 'share', price: price / 2 })
})

function* vagueBuyer(): Process<Quote | Share | Shipping> {
  const me = yield* self<Shipping>()
  const { from } = yield* receive<Quote>('quote')
  yield* receive<Share>('share')
  const accepted = yield* choose([true, false])
  yield* send(from, { kind: 'offer', accepted, from: me })
  if (accepted) yield* receive<Shipping>('shipping')
}

export const noQuit = program('two buyers, no quit', function* () {
  const me = yield* self<Quote | Shipping>()
  const selling = yield* spawn('seller', seller)
  const buying = yield* spawn('second buyer', leavingBuyer)
  yield* send(selling, { kind: 'title', first: me, second: buying })
  const { price } = yield* receive<Quote>('quote')
  yield* send(buying, { kind: 'share', price: price / 2 })
})

function* leavingBuyer(): Process<Quote | Share | Shipping> {
  const me = yield* self<Shipping>()
  const { from } = yield* receive<Quote>('quote')
  yield* receive<Share>('share')
  const accepted = yield* choose([true, false])
  if (accepted) {
    yield* send(from, { kind: 'offer', accepted: true, from: me })
    yield* send(from, { kind: 'details', street: 'Main Street' })
    yield* receive<Shipping>('shipping')
  }
}

export const shippedToFirst = program('two buyers, date told to the first', function* () {
  const me = yield* self<Quote | Shipping>()
  const selling = yield* spawn('seller', confusedSeller)
  const buying = yield* spawn('second buyer', secondBuyer)
  yield* send(selling, { kind: 'title', first: me, second: buying })
  const { price } = yield* receive<Quote>('quote')
  yield* send(buying, { kind: 'share', price: price / 2 })
})

function* confusedSeller(): Process<Title | Offer | Details> {
  const me = yield* self<Offer | Details>()
  const { first, second } = yield* receive<Title>('title')
  yield* send(first, { kind: 'quote', price: 20, from: me })
  yield* send(second, { kind: 'quote', price: 20, from: me })
  const offer = yield* receive<Offer>('offer')
  if (offer.accepted) {
    yield* receive<Details>('details')
    yield* send(first, { kind: 'shipping', date: 'tomorrow' })
  }
}

/** Correct. The offers stand in two lines, as in the original; they come from one process, so they do not race. */
export const offersApart = program('two buyers, offers apart', function* () {
  const me = yield* self<Quote | Shipping>()
  const selling = yield* spawn('seller', seller)
  const buying = yield* spawn('second buyer', decidedBuyer)
  yield* send(selling, { kind: 'title', first: me, second: buying })
  const { price } = yield* receive<Quote>('quote')
  yield* send(buying, { kind: 'share', price: price / 2 })
})

function* decidedBuyer(): Process<Quote | Share | Shipping> {
  const me = yield* self<Shipping>()
  const { from } = yield* receive<Quote>('quote')
  yield* receive<Share>('share')
  const accepted = yield* choose([true, false])
  if (accepted) {
    yield* send(from, { kind: 'offer', accepted: true, from: me })
    yield* send(from, { kind: 'details', street: 'Main Street' })
    yield* receive<Shipping>('shipping')
  } else {
    yield* send(from, { kind: 'offer', accepted: false, from: me })
  }
}
