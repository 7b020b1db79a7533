import { describe, expect, it } from '@jest/globals';
import { RequestTokens } from './request-tokens.js';

const setUp = () => {
  const time = { now: 1_000_000 };
  const tokens = new RequestTokens(() => time.now);
  const signed: string[] = [];
  const of = (...grants: readonly object[]) =>
    tokens.of(grants, async () => {
      signed.push(JSON.stringify(grants));
      return { authorization: `token ${signed.length}` };
    });
  return { time, tokens, signed, of };
};

describe('RequestTokens', () => {
  it('signs once for requests with the same grants, and for each other grant', async () => {
    const { of, signed } = setUp();
    const [first, again] = await Promise.all([of({ roomCreate: true }), of({ roomCreate: true })]);
    expect(again).toEqual(first);
    await of({ roomList: true });
    await of({ roomCreate: true }, { call: true });
    expect(signed).toHaveLength(3);
  });

  it('signs anew long before a token expires, and after a clock was set back', async () => {
    const { of, time, signed } = setUp();
    await of({ roomCreate: true });
    time.now += 299_999;
    await of({ roomCreate: true });
    expect(signed).toHaveLength(1);
    time.now += 1;
    await of({ roomCreate: true });
    time.now -= 10;
    await of({ roomCreate: true });
    expect(signed).toHaveLength(3);
  });

  it('signs again after a failure', async () => {
    const { tokens, of } = setUp();
    await expect(tokens.of([{}], () => Promise.reject(new Error('no key')))).rejects.toThrow('no key');
    await expect(of({})).resolves.toEqual({ authorization: 'token 1' });
  });

  it('remembers a limited number of tokens, however many rooms there are', async () => {
    const { of, signed } = setUp();
    for (let room = 0; room < 150; room += 1) await of({ roomAdmin: true, room: `room-${room}` });
    await of({ roomAdmin: true, room: 'room-149' });
    expect(signed).toHaveLength(150);
    await of({ roomAdmin: true, room: 'room-0' });
    expect(signed).toHaveLength(151);
  });
});
