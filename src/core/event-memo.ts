/** Like a WeakMap, for objects that live as long as one event. */
export interface Kept<K extends object, V> {
  has(key: K): boolean;
  get(key: K): V | undefined;
  set(key: K, value: V): void;
}

class Itself {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: what extends this puts its private fields into that object.
    return object;
  }
}

/**
 * Keeps what was worked out about an object in a private field of the object itself. What a WeakMap holds survives every
 * quick garbage collection, and mostly leads back to its key: then everything an event ever touched has to be copied
 * and swept up later.
 */
export function kept<K extends object, V>(): Kept<K, V> {
  return class Slot extends Itself {
    #value: V;

    private constructor(key: K, value: V) {
      super(key);
      this.#value = value;
    }

    static has(key: object): boolean {
      return #value in key;
    }

    static get(key: object): V | undefined {
      return #value in key ? key.#value : undefined;
    }

    static set(key: K, value: V): void {
      if (#value in key) key.#value = value;
      else new Slot(key, value);
    }
  };
}
