import { describe, expect, it } from '@jest/globals';
import { fieldsOfStep, firstValues, toCreateBody, toFileBody, toPreviewBody } from './wizard-values.js';

describe('what the wizard asks for', () => {
  it('leaves to the platform what nobody has set', () => {
    const body = toCreateBody({ ...firstValues, name: 'Reminders' });
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['timezone']));
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['callsPerSecond']));
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['ringingTimeoutSeconds']));
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['budget']));
    expect(body).toMatchObject({ name: 'Reminders', scheduledAt: null, columns: {} });
  });

  it('asks for no window where the person wants none, whatever hours stood there', () => {
    expect(toCreateBody({ ...firstValues, hasWindow: false }).callingWindow).toBeNull();
    expect(toCreateBody(firstValues).callingWindow).toMatchObject({ start: '09:00', basis: 'recipient' });
  });

  it('begins at once although a time was chosen earlier, and sends a missing time as a fault', () => {
    const at = '2027-01-01T09:00:00.000Z';
    expect(toCreateBody({ ...firstValues, scheduledAt: at }).scheduledAt).toBeNull();
    expect(toCreateBody({ ...firstValues, begins: 'later', scheduledAt: at }).scheduledAt).toBe(at);
    expect(toCreateBody({ ...firstValues, begins: 'later' }).scheduledAt).toBe('');
    expect(toPreviewBody({ ...firstValues, begins: 'later' }).scheduledAt).toBeNull();
  });

  it('maps only columns that were chosen', () => {
    const columns = {
      phoneNumber: 'Mobile',
      name: '',
      variables: { doctor: 'Dr', time: '', name: undefined },
    };
    expect(toFileBody({ ...firstValues, columns }).columns).toEqual({
      phoneNumber: 'Mobile',
      variables: { doctor: 'Dr' },
    });
  });

  it('checks each field of a request in one step', () => {
    const checked = Object.values(fieldsOfStep).flat();
    expect(new Set(checked).size).toBe(checked.length);
    const asked = Object.keys(
      toCreateBody({
        ...firstValues,
        ...{ timezone: 'UTC', callsPerSecond: 1, ringingTimeoutSeconds: 20 },
        budget: { maxCostMicros: 1 },
      }),
    );
    expect([...checked].sort()).toEqual(asked.sort());
  });
});
