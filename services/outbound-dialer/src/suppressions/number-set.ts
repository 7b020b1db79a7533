// A set of seen numbers: exact, and 16 bytes a number where a Set of strings takes a hundred.

const fewestSlots = 1 << 10;

/** An E.164 number as its digits: at most 15, which a double holds exactly. */
export const digitsAsNumber = (phoneNumber: string): number => Number(phoneNumber.slice(1));

/** Open addressing with linear probing; never more than half full. Zero is no number, and marks a free slot. */
export class NumberSet {
  #slots = new Float64Array(fewestSlots);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(number: number): boolean {
    return this.#slots[this.#find(number)] === number;
  }

  /** False when it was there already. */
  add(number: number): boolean {
    const slot = this.#find(number);
    if (this.#slots[slot] === number) return false;
    this.#slots[slot] = number;
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    return true;
  }

  /** The slot of the number, or the slot in which it belongs. */
  #find(number: number): number {
    const mask = this.#slots.length - 1;
    // Neighbours in a number plan differ in a few digits: every bit has to reach every other.
    let hash = ((number % 0x1_0000_0000) | 0) ^ Math.imul(Math.floor(number / 0x1_0000_0000), 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    let slot = (hash ^ (hash >>> 16)) & mask;
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== number) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Float64Array(old.length * 2);
    for (const number of old) if (number !== 0) this.#slots[this.#find(number)] = number;
  }
}
