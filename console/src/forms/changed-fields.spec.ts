// A form that sends its changes alone overwrites no change of somebody else.
import { describe, expect, it } from '@jest/globals';
import { changedFields } from './changed-fields.js';

describe('the changed fields of a form', () => {
  it('are none where nothing is changed, whether a field without a value is there or not', () =>
    expect(changedFields({ name: 'a', tags: ['x'] }, { name: 'a', tags: ['x'], unit: undefined })).toEqual(
      {},
    ));

  it('are whole, also where a single part is another', () =>
    expect(
      changedFields(
        { name: 'a', limits: { most: 1, least: 0 } },
        { name: 'a', limits: { most: 2, least: 0 } },
      ),
    ).toEqual({ limits: { most: 2, least: 0 } }));

  it('tell that a value was taken away', () =>
    expect(changedFields({ text: 'a' }, { text: null })).toEqual({ text: null }));
});
