/** Settings that are loaded once and then kept, until somebody changes them. */
export class SettingsCache {
  readonly #load: (name: string) => Promise<string>
  readonly #values = new Map<string, string>()

  constructor(load: (name: string) => Promise<string>) {
    this.#load = load
  }

  async get(name: string): Promise<string> {
    const known = this.#values.get(name)
    if (known !== undefined) return known
    const loaded = await this.#load(name)
    this.#values.set(name, loaded)
    return loaded
  }

  set(name: string, value: string): void {
    this.#values.set(name, value)
  }
}
