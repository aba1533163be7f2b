/** The map with a `get` that takes no lock, and so comes upon chains that are being moved. */
import { CoarseMap } from './map.ts'

export class UnlockedGetMap extends CoarseMap {
  override get(key: number): number | null {
    return this.find(key)?.value ?? null
  }
}
