/** Network addresses as users write them: `127.0.0.1:7001`, `[::1]:7001`, `localhost:0`. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { failure, type Result, success } from '../core/diagnostic.ts'

export interface HostAddress {
  readonly host: string
  readonly port: number
}

export const anyLoopbackPort: HostAddress = { host: '127.0.0.1', port: 0 }

/** `what` names the option, for the diagnostic. */
export function parseAddress(text: string, what: string, use: 'listen' | 'reach' = 'reach'): Result<HostAddress> {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:[\]]+)):(\d{1,5})$/.exec(text.trim()) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  const isHost = bracketed !== undefined ? isIP(bracketed) === 6 : host !== undefined && isHostName(host)
  if (host !== undefined && isHost && port <= 65_535) return success({ host, port })
  const forms = 'write it as 127.0.0.1:7001, [::1]:7001 or localhost:7001'
  const hint = port > 65_535 ? 'ports end at 65535' : `${forms}${use === 'listen' ? '; port 0 is any' : ''}`
  return failure({ code: 'E601', message: `${what} is not an address: "${text}"`, hint })
}

function isHostName(host: string): boolean {
  if (/^[\d.]+$/.test(host)) return isIP(host) === 4
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host)
}

/** Asked for once: a datagram socket would ask again for every datagram. */
export async function resolveAddress({ host, port }: HostAddress, what: string): Promise<Result<HostAddress>> {
  if (isIP(host) !== 0) return success({ host, port })
  try {
    return success({ host: (await lookup(host)).address, port })
  } catch {
    return failure({
      code: 'E601',
      message: `${what}: there is no host "${host}"`,
      hint: 'write its number: 127.0.0.1',
    })
  }
}

export function isLoopback(host: string): boolean {
  return host === '::1' || host.startsWith('127.') || host === 'localhost'
}

export function addressText({ host, port }: HostAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
