import { describe, expect, it } from '@jest/globals';
import { callerVariables, natsUrlOf } from '@parlance/fixtures';
import { Env } from './env.js';
import { inboundAddresses, isOpenToAnybody, providersAddresses } from './inbound-addresses.js';

describe('SIP_INBOUND_ADDRESSES', () => {
  /** Problems of these two variables alone: the others are missing here. */
  const problems = (variables: Readonly<Record<string, string>>): readonly string[] =>
    (Env.safeParse({ ...others, ...variables }).error?.issues ?? []).map(({ path }) => String(path[0]));
  const others = {
    NODE_ENV: 'test',
    NATS_URL: natsUrlOf('nats://127.0.0.1:4222', 'telephony-numbers'),
    ...callerVariables('telephony-numbers'),
    POSTGRES_URL: 'postgres://a:b@127.0.0.1/c',
    LIVEKIT_URL: 'http://127.0.0.1:7880',
    LIVEKIT_WS_URL: 'ws://127.0.0.1:7880',
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: 'a-secret-of-at-least-thirty-two-bytes',
    CURSOR_KEY: 'a-cursor-key-of-at-least-thirty-two-bytes',
    QUOTE_KEY: 'a-quote-key-of-at-least-thirty-two-bytes!',
  };
  const of = (text: string) => problems({ SIP_INBOUND_ADDRESSES: text });
  const name = 'SIP_INBOUND_ADDRESSES';

  it('is what the providers publish unless it is set, and none of that is wide', () => {
    const { ranges, malformed, wide } = inboundAddresses(providersAddresses.join());
    expect(ranges).toHaveLength(providersAddresses.length);
    expect([malformed, wide]).toEqual([[], []]);
    expect(isOpenToAnybody(ranges)).toBe(false);
  });

  it.each([
    '0.0.0.0/0',
    '::/0',
    '0.0.0.0/1,128.0.0.0/1',
    '192.0.2.1,64.0.0.0/7',
    '2000::/3',
    '::ffff:0.0.0.0/96',
  ])('refuses %s, which lets practically anybody in, unless that is said twice', (text) => {
    expect(of(text)).toContain(name);
    expect(problems({ [name]: text, SIP_INBOUND_ADDRESSES_ANYBODY: 'yes' })).not.toContain(name);
    expect(isOpenToAnybody(text.split(','))).toBe(true);
  });

  it.each(['sip.example.com', '192.0.2.300', '192.0.2.1/24', '192.0.2.0/33', '10.0.0.0-10.0.0.9', ' , '])(
    'refuses %s, which is no address and no range, also when anybody may call',
    (text) => {
      expect(of(text)).toContain(name);
      expect(problems({ [name]: text, SIP_INBOUND_ADDRESSES_ANYBODY: 'yes' })).toContain(name);
    },
  );

  it('gives every address a prefix length, in one spelling and order', () => {
    expect(inboundAddresses('192.0.2.9, 2001:DB8::0/32,192.0.2.9/32,10.0.0.0/8')).toEqual({
      ranges: ['10.0.0.0/8', '192.0.2.9/32', '2001:db8::/32'],
      malformed: [],
      wide: [],
    });
    expect(of('10.0.0.0/8')).not.toContain(name);
  });

  it('has a user name and a password beside it, or neither of them', () => {
    const password = 'a-password-of-a-carrier';
    expect(problems({ SIP_INBOUND_USERNAME: 'carrier' })).toContain('SIP_INBOUND_PASSWORD');
    expect(problems({ SIP_INBOUND_PASSWORD: password })).toContain('SIP_INBOUND_PASSWORD');
    const both = problems({ SIP_INBOUND_USERNAME: 'carrier', SIP_INBOUND_PASSWORD: password });
    expect(both).not.toContain('SIP_INBOUND_PASSWORD');
  });
});
