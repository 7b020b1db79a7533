import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { AgentInput } from './agent.js';
import { AgentConfigurationBody } from './agent-configuration.js';
import { CallingWindow } from './outbound-call.js';
import {
  dialableNumber,
  isVisible,
  json,
  name,
  phoneNumber,
  phoneNumberAsWritten,
  queryInteger,
  text,
  timezone,
  uuid,
} from './text.js';
import { timeZones } from './time-zone.js';

describe('strings', () => {
  it.each(['a\u0000b', '\ud800', 'x\udfff'])('refuses what cannot be stored or encoded: %j', (value) => {
    expect(text(1, 10).safeParse(value).success).toBe(false);
  });
  it('takes emoji and other scripts', () => {
    expect(text(1, 10).safeParse('héllo 👋').success).toBe(true);
  });
  it('counts a name without the white space around it, and keeps it in one Unicode form', () => {
    const agent = { isActive: true, templateId: null };
    expect(AgentInput.safeParse({ ...agent, name: '  a ' }).success).toBe(false);
    expect(AgentInput.parse({ ...agent, name: ' Zoe\u0308 ' }).name).toBe('Zo\u00eb');
  });
  it.each(['{"a":["\\u0000"]}', '[{"b":"\\ud800"}]', '{"\\u0000":1}'])(
    'refuses them deep in free JSON: %s',
    (value) => {
      expect(json.safeParse(JSON.parse(value)).success).toBe(false);
    },
  );
});

describe('names', () => {
  it.each([
    ['zero-width spaces', '\u200b\u200b'],
    ['zero-width joiners', '\u200c\u200d'],
    ['byte order marks', '\ufeff\ufeff'],
    ['soft hyphens', '\u00ad\u00ad'],
    ['directions', '\u202e\u2066'],
    ['Hangul fillers', '\u3164\u115f'],
    ['marks without a letter', '\u0301\u034f'],
    ['blanks of Braille', '\u2800\u2800'],
    ['tags', '\u{e0041}\u{e0042}'],
    ['controls', '\u0007\u0008'],
    ['white space', ' \u00a0\u2003'],
  ])('of nothing but %s are refused', (_, written) => {
    expect(name(1, 120).safeParse(written).success).toBe(false);
    expect(isVisible(written)).toBe(false);
  });
  it.each([
    'Zo\u00eb',
    '\u200bAda',
    '\u0928\u092e\u0938\u094d\u0924\u0947',
    '\u2764\ufe0f',
    '\u{1f468}\u200d\u{1f469}',
    '7',
    '!',
  ])('of which one character can be seen are taken: %j', (written) => {
    expect(name(1, 120).safeParse(written).success).toBe(true);
  });
});

describe('ids', () => {
  it.each([
    '',
    'abc',
    '018f0000-0000-7000-8000-00000000000',
    "' OR 1=1",
    '{018f0000-0000-7000-8000-000000000000}',
  ])('refuses %j', (value) => {
    expect(uuid.safeParse(value).success).toBe(false);
  });
  it('reads a UUID of any version, in either case, as one value', () => {
    expect(uuid.parse('11111111-1111-1111-1111-1111111111AA')).toBe('11111111-1111-1111-1111-1111111111aa');
  });
});

describe('whole numbers in a query string', () => {
  it.each(['1e3', ' 5', '+5', '-1', '0x10', '05', '1.0', '', '101', '9999999999999'])(
    'refuses %j',
    (value) => {
      expect(queryInteger(1, 100).safeParse(value).success).toBe(false);
    },
  );
  it('reads digits', () => {
    expect(queryInteger(1, 100).parse('42')).toBe(42);
  });
});

describe('phone numbers', () => {
  it.each([
    '+4402079460000',
    '+330142685300',
    '+390',
    '+0123',
    '+0123456789',
    '+1 415 555 0100',
    '4155550100',
  ])('are refused in a spelling that is not canonical E.164: %j', (value) => {
    const result = phoneNumber.safeParse(value);
    expect(result.error?.issues[0]).toMatchObject({ params: { code: 'INVALID_PHONE_NUMBER' } });
  });
  it.each(['+442079460000', '+390612345678', '+14155550100', '+8835100012345'])(
    'are taken in it: %s',
    (value) => {
      expect(phoneNumber.parse(value)).toBe(value);
    },
  );
  it('are taken in any spelling where the list that they are looked for in knows one', () => {
    expect(phoneNumberAsWritten.parse('+4402079460000')).toBe('+4402079460000');
  });
});

describe('numbers to dial', () => {
  it.each(['CALL-ME', '+1415555O100', '+1 415 555 0100', '1'.repeat(16), '++1', '+0123', '+4402079460000'])(
    'refuses %j as no phone number',
    (value) => {
      const result = dialableNumber.safeParse(value);
      expect(result.error?.issues[0]).toMatchObject({ params: { code: 'INVALID_PHONE_NUMBER' } });
    },
  );
});

describe('a number with an extension', () => {
  it.each([
    '+14155550104 x123',
    '415-555-0105 ext. 22',
    '+14155550106;ext=9',
    '4155550107#5',
    '+14155550100,,5',
  ])('is refused because of it: %j', (value) => {
    for (const schema of [dialableNumber, phoneNumberAsWritten])
      expect(schema.safeParse(value).error?.issues[0]).toMatchObject({
        message: expect.stringContaining('extension'),
        params: { code: 'INVALID_PHONE_NUMBER' },
      });
  });
});

describe('a calling window', () => {
  const window = { days: [4], start: '22:00', end: '06:00', basis: 'recipient' };

  it.each([{}, { start: '00:00', end: '24:00' }, { start: '18:00', end: '24:00' }, { end: '00:00' }])(
    'may pass midnight or end at it: %j',
    (change) => {
      expect(CallingWindow.safeParse({ ...window, ...change }).success).toBe(true);
    },
  );

  it.each([{ end: '22:00' }, { start: '24:00' }, { end: '24:01' }, { end: '25:00' }, { end: '6:00' }])(
    'is refused with %j',
    (change) => {
      expect(CallingWindow.safeParse({ ...window, ...change }).success).toBe(false);
    },
  );
});

describe('time zones', () => {
  it.each([
    'Mars/Olympus',
    'utc+2',
    '+02:00',
    'EST5EDT',
    'Etc/GMT+5',
    'SystemV/EST5',
    'GMT',
    'Japan',
    'local',
    '',
  ])('refuses %j', (value) => {
    expect(timezone.safeParse(value).success).toBe(false);
  });

  it('refuses every short name that the runtime takes for a zone, quotes it, and names a place', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const pairs = letters.flatMap((a) => letters.map((b) => a + b));
    const names = [...pairs, ...pairs.flatMap((pair) => letters.map((c) => pair + c))];
    const runtimeKnows = (timeZone: string): boolean => {
      try {
        new Intl.DateTimeFormat('en', { timeZone });
        return true;
      } catch {
        return false;
      }
    };
    const known = names.filter(runtimeKnows);
    expect(known).toEqual(expect.arrayContaining(['EST', 'MST', 'HST', 'CET', 'GMT']));
    const wrong = ['BST', 'AST', 'NST', 'SST', 'IST', 'CEST', 'PDT', 'AEST', ...known].filter((value) => {
      const message = timezone.safeParse(value).error?.issues[0]?.message ?? '';
      return value !== 'UTC' && !(message.startsWith(`"${value}"`) && message.includes('Europe/London'));
    });
    expect(wrong).toEqual([]);
  });

  it('quotes nothing that may be the content of another column', () => {
    expect(timezone.safeParse('Grace Hopper').error?.issues[0]?.message).toMatch(
      /^is not the name of a time zone/,
    );
  });

  it.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['AMERICA/ARGENTINA/BUENOS_AIRES', 'America/Argentina/Buenos_Aires'],
    ['asia/kolkata', 'Asia/Kolkata'],
    ['utc', 'UTC'],
    ['Etc/UTC', 'UTC'],
  ])('writes %s as %s', (value, usual) => {
    expect(timezone.parse(value)).toBe(usual);
  });

  it('takes every zone that is offered, as it is', () => {
    expect(timeZones.filter((zone) => timezone.safeParse(zone).data !== zone)).toEqual([]);
  });
  it.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Calcutta', 'Europe/Kyiv'])(
    'knows %s',
    (value) => {
      expect(timezone.safeParse(value).success).toBe(true);
    },
  );
});

describe('an agent configuration', () => {
  const whole = {
    agent_language: 'en-US',
    firstMessage: 'Hello',
    systemPrompt: 'Be kind.',
    llmModel: 'a',
    sttModel: 'b',
    ttsModel: 'c',
    voiceId: 'd',
  };
  it('fills in every default', () => {
    expect(AgentConfigurationBody.parse(whole)).toMatchObject({
      timezone: 'UTC',
      rag: { topK: 5 },
      limits: { maxDurationSeconds: 3_600 },
      allowedOverrides: ['firstMessage', 'systemPrompt'],
    });
  });
  it('names every missing member of the required groups', () => {
    const { firstMessage: _first, voiceId: _voice, ...partial } = whole;
    const issues = AgentConfigurationBody.safeParse(partial).error?.issues ?? [];
    expect(issues.map(({ path }) => path.join('.')).sort()).toEqual(['firstMessage', 'voiceId']);
    for (const issue of issues) expect(issue).toMatchObject({ params: { code: 'CONFIG_GROUP_INCOMPLETE' } });
  });
  it('is described to readers with all its members', () => {
    expect(z.toJSONSchema(AgentConfigurationBody, { io: 'input' })).toMatchObject({
      $defs: { AgentConfigurationInput: { properties: { firstMessage: {}, rag: {}, voicemail: {} } } },
    });
  });
  it.each([null, [], 'x', 1, true])('refuses %j as a body', (value) => {
    expect(AgentConfigurationBody.safeParse(value).success).toBe(false);
  });
  it('keeps x_ keys and refuses other unknown ones', () => {
    expect(AgentConfigurationBody.safeParse({ ...whole, x_crm: { id: 1 } }).success).toBe(true);
    expect(AgentConfigurationBody.safeParse({ ...whole, crm: 1 }).success).toBe(false);
  });
});
