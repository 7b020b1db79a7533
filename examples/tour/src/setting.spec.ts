import { describe, expect, it } from '@jest/globals';
import { type LocalPlatform, settingOf, type Wishes } from './setting.js';

const none: Wishes = { 'real-media': false };
const local: LocalPlatform = {
  folder: '/data',
  url: 'http://127.0.0.1:4700',
  email: 'first@parlance.example',
  password: 'first-password',
  isRealMedia: false,
  isScripted: false,
  hasTelephones: true,
  practice: { url: 'http://127.0.0.1:1', token: 't' },
  ledger: '/data/ledger.jsonl',
};
const { url: _url, email: _email, password: _password, ...notStarted } = local;
const user = { email: 'u@parlance.example', password: 'p' };

describe('settingOf', () => {
  it('visits the platform of the data folder with its first user, practice and ledger', () => {
    expect(settingOf(none, local)).toEqual({
      credentials: { url: local.url, email: local.email, password: local.password },
      phones: 'simulated',
      practice: local.practice,
      ledger: local.ledger,
    });
    expect(settingOf({ ...none, url: `${local.url}/` }, local)).toEqual(settingOf(none, local));
    expect(settingOf({ ...none, file: 'own.csv' }, local)).toMatchObject({
      phones: undefined,
      ledger: local.ledger,
    });
  });

  it('expects nothing of a platform elsewhere that it does not know', () => {
    expect(settingOf({ ...none, ...user, url: 'https://parlance.example/' }, local)).toEqual({
      credentials: { ...user, url: 'https://parlance.example' },
      phones: undefined,
      practice: undefined,
      ledger: undefined,
    });
  });

  it.each<[string, Wishes, LocalPlatform, RegExp]>([
    ['nothing was started on the folder', none, notStarted, /no platform was started on \/data.*--data-dir/],
    [
      'the first user of this machine would go elsewhere',
      { ...none, url: 'https://a.example' },
      local,
      /--email and --password of a user of https:\/\/a/,
    ],
    ['the address is none', { ...none, url: 'localhost:4700' }, local, /--url takes an address/],
    ['there is no first user', none, { ...notStarted, url: 'http://127.0.0.1:4700' }, /without a first user/],
    ['browsers alone can talk', none, { ...local, hasTelephones: false }, /--browser-voice/],
    ['the telephones are simulated', { 'real-media': true }, local, /simulates its telephones/],
    [
      'the telephones have to speak',
      { 'real-media': true },
      { ...local, isRealMedia: true },
      /--scripted-agent/,
    ],
    ['the telephones are real', none, { ...local, isRealMedia: true }, /npm run tour -- --real-media/],
  ])('says why there is no tour where %s', (_, wishes, platform, reason) => {
    expect(() => settingOf(wishes, platform)).toThrow(reason);
  });
});
