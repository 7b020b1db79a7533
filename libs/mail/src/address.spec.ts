import { describe, expect, it } from '@jest/globals';
import { isEmailAddress, parseMailbox } from './index.js';

describe('an e-mail address', () => {
  it.each(['ada@example.com', 'a.b+c@mail.example.co.uk', "o'brien@example.com", 'parlance@localhost'])(
    'is %s',
    (text) => {
      expect(isEmailAddress(text)).toBe(true);
    },
  );

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@example..com',
    '.ada@example.com',
    'a..b@example.com',
    'ada@-example.com',
    'ada@example.com\n',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com, eve@example.com',
    'Ada <ada@example.com>',
    'a da@example.com',
    'ädä@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a.'.repeat(130)}com`,
  ])('is not %j', (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });
});

describe('a mailbox', () => {
  it('has a name, or none', () => {
    expect(parseMailbox('Parlance <no-reply@example.com>')).toEqual({
      name: 'Parlance',
      address: 'no-reply@example.com',
    });
    expect(parseMailbox('no-reply@example.com')).toEqual({ name: '', address: 'no-reply@example.com' });
  });

  it.each(['', 'Parlance', 'A <a@example.com>, B <b@example.com>', 'A\nB <a@example.com>', '<>'])(
    'is not %j',
    (text) => {
      expect(parseMailbox(text)).toBeUndefined();
    },
  );
});
