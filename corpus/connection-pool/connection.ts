/** What a pool holds, and where it gets them from. */
export interface Connection {
  readonly id: number
  query(text: string): Promise<string>
}

export type Connect = () => Promise<Connection>
