/** Where a limiter keeps its buckets: a database or a cache server, with a round trip per call. */
export interface Store {
  get(key: string): Promise<number | undefined>
  set(key: string, value: number): Promise<void>
}
