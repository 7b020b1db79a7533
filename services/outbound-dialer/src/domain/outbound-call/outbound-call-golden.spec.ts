// Stored streams keep their meaning.
import { describe, expect, it } from '@jest/globals';
import { goldenStreams } from '@parlance/fixtures/deciders';
import { outboundCallDecider } from './outbound-call.js';
import { outboundCallEvents } from './outbound-call-events.js';

const streams = goldenStreams(new URL('./golden/', import.meta.url), outboundCallEvents, outboundCallDecider);

describe('golden streams', () => {
  it.each(streams)('$file folds into the state that it was stored with', ({ now, stored }) => {
    expect(now()).toEqual(stored);
  });

  it('together hold every type of event', () => {
    const types = new Set(streams.flatMap(({ types }) => types));
    expect([...types].sort()).toEqual(Object.keys(outboundCallEvents.definitions).sort());
  });
});
