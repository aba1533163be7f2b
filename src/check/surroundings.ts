/**
 * What lies outside of every program: what code of the host's reads or changes the world, or goes on by itself, so that no check could repeat
 * it or take it back. One list for processes, machines and classes.
 */

/** Modules with which programs reach what lies outside of them; the traps are set in those that are loaded. */
const reaching = [
  ...['child_process', 'cluster', 'dgram', 'dns', 'dns/promises', 'fs', 'fs/promises', 'http', 'http2', 'https'],
  ...['inspector', 'net', 'os', 'readline', 'readline/promises', 'repl', 'sqlite', 'stream', 'stream/promises'],
  ...['tls', 'tty', 'v8', 'vm', 'wasi', 'worker_threads', 'zlib'],
] as const

/** Of those, what only computes. */
const computing =
  /^(?:fs\.(?:Dirent|Stats)|http\.validate\w+|net\.(?:is\w+|BlockList|SocketAddress)|stream\.(?:is|_)\w+|tls\.(?:check|convert)\w+|v8\.(?:\w*[sS]erialize\w*)|vm\.isContext|worker_threads\.\w*[mM]ark\w+|zlib\.(?:\w+Sync|crc32))$/

/** Functions of `node:crypto` that draw random numbers, and those that call back when no process runs. */
export const randomOfCrypto: readonly string[] = [
  ...['randomUUID', 'getRandomValues', 'randomBytes', 'pseudoRandomBytes', 'randomInt', 'randomFill', 'randomFillSync'],
  ...['generateKey', 'generateKeySync', 'generateKeyPair', 'generateKeyPairSync', 'generatePrime', 'generatePrimeSync'],
]
export const laterOfCrypto: readonly string[] = ['pbkdf2', 'scrypt', 'hkdf', 'checkPrime']

/** Globals that connect to others, or go on by themselves. */
export const reachingGlobals: readonly string[] = [
  ...['BroadcastChannel', 'EventSource', 'MessageChannel', 'WebSocket', 'WebSocketStream', 'Worker'],
  ...['ReadableStream', 'WritableStream', 'TransformStream', 'CompressionStream', 'DecompressionStream'],
]

/** What `process` tells of the process of the host, of who began it and of where; and what asks for it. */
export const toldByProcess: readonly string[] = [
  ...['argv', 'argv0', 'channel', 'connected', 'debugPort', 'execArgv', 'execPath', 'exitCode', 'pid', 'ppid'],
  ...['report', 'stdin', 'title'],
]
export const askedOfProcess: readonly string[] = [
  ...['availableMemory', 'constrainedMemory', 'cpuUsage', 'cwd', 'getActiveResourcesInfo', 'getegid', 'geteuid'],
  ...['getgid', 'getgroups', 'getuid', 'loadEnvFile', 'memoryUsage', 'resourceUsage', 'uptime', '_getActiveHandles'],
  ...['_getActiveRequests', 'binding', 'dlopen', 'send', 'disconnect', 'initgroups', 'setegid', 'seteuid', 'setgid'],
  ...['setgroups', 'setuid', '_kill', '_debugProcess', '_startProfilerIdleNotifier', 'openStdin', 'abort'],
]

/** Read when this is loaded: a trap takes its place. */
const builtIn = process.getBuiltinModule.bind(process)

interface OutsideFunction {
  readonly owner: object
  readonly name: string
  readonly shown: string
  readonly callable: object
}

type Reaching = (typeof reaching)[number]

/** Of modules that are loaded: to load all takes longer than many a check, and what nobody has loaded nobody calls. */
export function functionsOutside(): readonly OutsideFunction[] {
  const loaded = new Set(loadedModules())
  return reaching.filter((name) => loaded.has(`NativeModule ${name}`)).flatMap(functionsOf)
}

export function loadedModules(): readonly string[] {
  return (process as unknown as { readonly moduleLoadList: readonly string[] }).moduleLoadList
}

/** Before code that imports them runs, which may keep what it finds there. */
export function loadOutside(code: string): void {
  for (const name of reaching) if (code.includes(`"node:${name}"`)) requireOf(name)
}

function functionsOf(module: Reaching): readonly OutsideFunction[] {
  const owner = requireOf(module)
  if (owner === undefined) return []
  const prefix = module.replace('/', '.')
  return Object.entries(Object.getOwnPropertyDescriptors(owner)).flatMap(([name, { value, get }]) => {
    const shown = `${prefix}.${name}`
    if (computing.test(shown) || (value === undefined && get === undefined)) return []
    const callable: unknown = value ?? (owner as { readonly [name: string]: unknown })[name]
    return typeof callable === 'function' ? [{ owner, name, shown, callable }] : []
  })
}

/** Some are not in every Node. */
function requireOf(name: Reaching): object | undefined {
  try {
    return builtIn(`node:${name}`)
  } catch {
    return undefined
  }
}
