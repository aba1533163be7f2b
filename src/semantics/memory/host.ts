/** What the host alone can say of functions and objects. */
export const host: Host = { knows: undefined, outside: undefined, service: undefined, isProxy: undefined }

interface Host {
  /** Whether it knows a function that is written in JavaScript as its own. */
  knows: ((callable: unknown) => boolean) | undefined
  /** What a function is called that changes or reads what lies outside of the program, or keeps what nobody can take back. */
  outside: ((callable: unknown) => string | undefined) | undefined
  /** What a function is called that starts a service for processes. */
  service: ((callable: unknown) => string | undefined) | undefined
  isProxy: ((value: unknown) => boolean) | undefined
}
