/** What is the same on every machine that has the same version of Node, on the same platform. Whatever is not named here is not. */

/** Global names that may be used in any way. `Function`, `process` and those of `partlyGlobal` may not. */
export const globals: ReadonlySet<string> = new Set(
  [
    'undefined NaN Infinity arguments isFinite isNaN parseFloat parseInt',
    'decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape',
    'Object Array Boolean Number BigInt String Symbol Math JSON Reflect Proxy Promise Atomics Iterator',
    'Map Set WeakMap WeakSet WeakRef FinalizationRegistry Date RegExp Intl',
    'Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError',
    'ArrayBuffer SharedArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array',
    'Int32Array Uint32Array Float16Array Float32Array Float64Array BigInt64Array BigUint64Array',
    'DisposableStack AsyncDisposableStack',
    'console structuredClone queueMicrotask atob btoa Buffer Blob File crypto fetch',
    'setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate',
    'AbortController AbortSignal DOMException Event EventTarget CustomEvent MessageChannel MessageEvent',
    'URL URLSearchParams TextEncoder TextDecoder FormData Headers Request Response',
    'ReadableStream WritableStream TransformStream',
  ].flatMap((line) => line.split(' ')),
)

/** Global objects of which only some members may be read, each at once. */
export const partlyGlobal: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'process',
    new Set(
      'version versions nextTick hrtime emitWarning on once off addListener removeListener exit abort'.split(' '),
    ),
  ],
  ['performance', new Set(['now', 'mark', 'measure'])],
  // It makes code, which nobody has read.
  ['Function', new Set(['prototype'])],
])

/** Modules of Node that say the same everywhere, and what must not be asked of them all the same: it depends on the process. */
export const modules: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    assert: '',
    'assert/strict': '',
    buffer: '',
    crypto: 'getFips setFips fips setEngine secureHeapUsed',
    events: '',
    'path/posix': 'resolve relative posix win32',
    querystring: '',
    string_decoder: '',
    url: 'pathToFileURL',
    util: 'parseArgs debuglog debug styleText getSystemErrorMap',
  }).map(([name, differs]) => [`node:${name}`, new Set(differs.split(' ').filter((one) => one !== ''))]),
)
