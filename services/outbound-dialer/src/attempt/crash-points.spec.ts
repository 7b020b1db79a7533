import { describe, expect, it } from '@jest/globals';
import { crashingAt, crashPointNames, noCrashPoints, onceArmed } from './crash-points.js';

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

  it('are met once: who was stopped at one and woken up goes on', () => {
    let stopped = 0;
    const crash = crashingAt('dial.afterStart', () => {
      stopped += 1;
    });
    crash.at('dial.afterStart');
    crash.at('dial.afterStart');
    expect(stopped).toBe(1);
  });

  it('that wait to be armed are met once after each time', () => {
    let stopped = 0;
    const crash = onceArmed(() =>
      crashingAt('dial.afterRoom', () => {
        stopped += 1;
      }),
    );
    const pass = () => {
      for (const name of crashPointNames) crash.at(name);
      return stopped;
    };
    expect(pass()).toBe(0);
    crash.arm();
    expect([pass(), pass()]).toEqual([1, 1]);
    crash.arm();
    expect(pass()).toBe(2);
  });
});
