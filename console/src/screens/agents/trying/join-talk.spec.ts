// A person who leaves while the browser asks for the microphone pays for no session, and no microphone stays on.
import { describe, expect, it } from '@jest/globals';
import { joinTalk } from './join-talk.js';

type Step = 'microphone' | 'open' | 'connect';

/** Joins, leaves during one of the steps, and tells what was done. */
const joinedLeaving = async (during: Step | undefined, failing?: Step) => {
  const done: string[] = [];
  let isLeft = false;
  const step = <Result>(name: Step, result: Result): Promise<Result> => {
    done.push(name);
    isLeft ||= during === name;
    return failing === name ? Promise.reject(new Error(name)) : Promise.resolve(result);
  };
  const channel = await joinTalk({
    isLeft: () => isLeft,
    microphone: () => step('microphone', { stop: () => done.push('stop') }),
    open: () => step('open', 'session'),
    connect: () => step('connect', { close: () => done.push('close') }),
  }).catch((error: Error) => error.message);
  return { done, isJoined: typeof channel === 'object' };
};

describe('the way into a conversation by voice', () => {
  it('opens one session and keeps the microphone', async () =>
    expect(await joinedLeaving(undefined)).toEqual({
      done: ['microphone', 'open', 'connect'],
      isJoined: true,
    }));

  it('opens no session for somebody who leaves while the microphone is asked for', async () =>
    expect(await joinedLeaving('microphone')).toEqual({ done: ['microphone', 'stop'], isJoined: false }));

  it('closes the room of somebody who leaves while it is joined', async () =>
    expect(await joinedLeaving('connect')).toEqual({
      done: ['microphone', 'open', 'connect', 'close', 'stop'],
      isJoined: false,
    }));

  it('switches the microphone off where no session is given', async () =>
    expect(await joinedLeaving(undefined, 'open')).toEqual({
      done: ['microphone', 'open', 'stop'],
      isJoined: false,
    }));
});
