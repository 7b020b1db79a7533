import { describe, expect, it } from '@jest/globals';
import { crashingAt, crashPointNames, noCrashPoints } from './crash-points.js';

describe('crash points', () => {
  it('do nothing unless one was named', () => {
    for (const name of crashPointNames) noCrashPoints.at(name);
  });

  it('end the process at the one that was named, and at no other', () => {
    const died: string[] = [];
    const crash = crashingAt('dial.afterRequest', () => died.push('dial.afterRequest'));
    for (const name of crashPointNames) crash.at(name);
    expect(died).toEqual(['dial.afterRequest']);
  });
});
