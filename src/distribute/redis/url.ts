/**
 * What users type about a run: its name, and where Redis listens, `redis://name:password@host:port/0`, `rediss://` with TLS, or `unix://`
 * and the path of a socket.
 */
import { failure, type Result, success } from '../../core/diagnostic.ts'

/** How runs are called: what is typed after `--resume` may also be a file. */
export function isRunId(text: string): boolean {
  return /^run-[0-9a-f]{16}$/.test(text)
}

export interface RedisUrl {
  readonly href: string
  /** Without name and password. */
  readonly shown: string
}

export function isRedisUrl(text: string): boolean {
  return /^(?:rediss?|unix):/i.test(text)
}

/** `flag` is what it was typed after. */
export function redisUrl(text: string, flag: string): Result<RedisUrl> {
  const why = whyNot(text)
  if (why === undefined) return success({ href: text, shown: shownUrl(new URL(text)) })
  return failure({
    code: 'E107',
    // What cannot be read as a URL may hold a password all the same.
    message: `${flag} is not a URL of Redis: ${why}`,
    hint: 'write redis://host:6379, or redis://name:password@host:6379/0; rediss:// is with TLS, unix:///path a socket',
  })
}

function whyNot(text: string): string | undefined {
  if (!isRedisUrl(text)) return 'it does not begin with redis://, rediss:// or unix://'
  if (!URL.canParse(text)) return 'it cannot be read'
  const { protocol, hostname, pathname, search, hash } = new URL(text)
  if (protocol === 'unix:') return hostname === '' && pathname.length > 1 ? undefined : 'it names no socket'
  if (hostname === '') return 'it names no host'
  if (!/^\/?\d{0,4}$/.test(pathname)) return 'its path is no number of a database'
  if (search !== '' || hash !== '') return 'it has a query'
  return undefined
}

function shownUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}
