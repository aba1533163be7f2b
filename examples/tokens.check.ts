/**
 * A cache of an access token with single flight: however many want a token at once, it is asked for once.
 *
 *   npx allways check examples/tokens.check.ts -t forever
 *   npx allways check examples/tokens.check.ts -t again
 *
 * The first keeps the promise also if it is rejected: one timeout, and there is no token for ever. The second forgets it then.
 */
import { assert, program } from 'allways'
import { type Endpoint, HttpTimeout, http } from 'allways/services'

class Tokens {
  readonly #auth: Endpoint
  readonly #forgets: boolean
  #token: Promise<string> | undefined

  constructor(auth: Endpoint, forgets: boolean) {
    this.#auth = auth
    this.#forgets = forgets
  }

  get(): Promise<string> {
    this.#token ??= this.#ask()
    return this.#token
  }

  async #ask(): Promise<string> {
    try {
      const { body } = await this.#auth.post('/token', 'password', { timeout: 1000 })
      return String(body)
    } catch (error) {
      if (this.#forgets) this.#token = undefined
      throw error
    }
  }
}

function service(name: string, forgets: boolean) {
  return program(name, { faults: { losses: 1 } }, async () => {
    const auth = await http({
      name: 'auth',
      routes: () => ({ 'POST /token': () => ({ status: 200, body: 'secret' }) }),
    })
    const tokens = new Tokens(auth, forgets)
    const [one, other] = await Promise.allSettled([tokens.get(), tokens.get()])
    await assert(one.status === other.status, 'both wait for one request')
    if (one.status === 'fulfilled') return
    const later = await tokens.get().catch((error: unknown) => error)
    await assert(later !== one.reason, 'who comes later asks again')
    await assert(later === 'secret' || later instanceof HttpTimeout)
  })
}

export const forever = service('forever', false)
export const again = service('again', true)
