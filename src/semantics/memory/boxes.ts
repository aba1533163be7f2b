/** The boxes that private fields hold, by the objects that have the fields: what the language shows to the class alone. */
export class PrivateBox {}

const held = new WeakMap<object, PrivateBox[]>()
const owners = new WeakMap<object, object>()

export function holdBox(owner: object, box: PrivateBox): void {
  const known = held.get(owner)
  owners.set(box, owner)
  if (known === undefined) held.set(owner, [box])
  else known.push(box)
}

const none: readonly PrivateBox[] = []

export function boxesOf(owner: object): readonly PrivateBox[] {
  return held.get(owner) ?? none
}

/** The object whose private field the box is; undefined for other objects. */
export function ownerOf(box: object): object | undefined {
  return owners.get(box)
}
