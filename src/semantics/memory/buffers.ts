/**
 * Views of buffers: typed arrays and DataViews. Several of them, with elements of different sizes, may show the same memory, so
 * what an access touches are bytes of the buffer.
 */

export interface ByteRange {
  readonly from: number
  readonly size: number
}

/** Where in its buffer an element of a typed array is; nothing if it has no such element. */
export function bytesOfElement(view: ArrayBufferView, key: unknown): ByteRange | undefined {
  if (view instanceof DataView) return undefined
  const index = typeof key === 'string' && /^\d+$/.test(key) ? Number(key) : key
  const { BYTES_PER_ELEMENT: size, length } = view as Uint8Array
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= length) return undefined
  return { from: view.byteOffset + index * size, size }
}

/** What a method of a DataView reads or writes. */
export function bytesOfMethod(view: DataView, method: string, offset: unknown): ByteRange | undefined {
  const bits = /^[gs]et(?:Big)?(?:Int|Uint|Float)(8|16|32|64)$/.exec(method)?.[1]
  const at = Number(offset ?? 0)
  if (bits === undefined || !Number.isInteger(at) || at < 0) return undefined
  const size = Number(bits) / 8
  return at + size <= view.byteLength ? { from: view.byteOffset + at, size } : undefined
}

/** Puts the bytes back that are there now. They are copied: as a number, not every NaN would come back as it was. */
export function bytesRestorer(buffer: ArrayBufferLike, { from, size }: ByteRange): () => void {
  const bytes = new Uint8Array(buffer, from, size)
  const kept = bytes.slice()
  return () => bytes.set(kept)
}

/** The same for all of a buffer, and its size. */
export function bufferRestorer(buffer: ArrayBufferLike): () => void {
  const { byteLength: size } = buffer
  const restoreBytes = bytesRestorer(buffer, { from: 0, size })
  return () => {
    if (buffer.byteLength !== size) (buffer as Resizable).resize(size)
    restoreBytes()
  }
}

/** Not yet in the library of ES2023. */
type Resizable = ArrayBufferLike & { resize(size: number): void }

/** What a buffer cannot take back. */
export function cannotBeUndone(method: string): boolean {
  return method === 'grow' || method.startsWith('transfer')
}

export function isBuffer(value: unknown): value is ArrayBufferLike {
  return (
    value instanceof ArrayBuffer || (typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer)
  )
}
