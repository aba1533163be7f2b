/** Private fields on objects that already exist, functions too: what a constructor returns is what its subclasses initialise. */
export const Given = function Given(object: object): object {
  return object
} as unknown as new (
  object: object,
) => object
