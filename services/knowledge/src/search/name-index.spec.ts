// The arrays of a name index say of each trigram the same names as the names themselves do.
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { namesWith, numberOf, toNameIndex } from './name-index.js';
import { trigramsOf } from './names.js';

it('gives the names with a trigram, and the places of each name', () => {
  const sound = fc.string({ unit: fc.constantFrom('a', 'k', 's', 'v', 'ж'), minLength: 3, maxLength: 6 });
  const places = fc.uniqueArray(fc.nat(511), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.dictionary(sound, places, { noNullPrototype: true }), (placesOfName) => {
      const index = toNameIndex(placesOfName);
      const sounds = Object.keys(placesOfName);
      for (const trigram of sounds.flatMap(trigramsOf)) {
        const found = [...(namesWith(index, numberOf(trigram)) ?? [])].map((name) => sounds[name]);
        expect(found).toEqual(sounds.filter((other) => trigramsOf(other).includes(trigram)));
      }
      for (const [name, sound] of sounds.entries()) {
        const [from, to] = [index.placeStarts[name], index.placeStarts[name + 1]];
        expect([...index.places.subarray(from, to)]).toEqual(placesOfName[sound]);
        expect(index.sizes[name]).toBe(trigramsOf(sound).length);
      }
      expect(namesWith(index, numberOf('zzz'))).toBeUndefined();
    }),
  );
});
