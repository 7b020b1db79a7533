import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadEnv } from '@parlance/config';
import { callerVariables } from '@parlance/fixtures';
import { Env } from './env.js';

const secret = 'not a placeholder, and of forty bytes or so';
const required = {
  POSTGRES_URL: 'postgres://gateway:secret@127.0.0.1/parlance',
  NATS_URL: 'nats://127.0.0.1:4222',
  ...callerVariables('gateway'),
  AUTH_SECRET: secret,
  INTERNAL_API_KEY: secret,
  LIVEKIT_URL: 'http://127.0.0.1:7880',
  LIVEKIT_WS_URL: 'ws://127.0.0.1:7880',
  LIVEKIT_API_KEY: 'APItest',
  LIVEKIT_API_SECRET: secret,
};

const load = (variables: Readonly<Record<string, string>>) => loadEnv(Env, { ...required, ...variables });
const refused = (variables: Readonly<Record<string, string>>): readonly string[] => {
  try {
    load(variables);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ variable }) => variable);
    throw error;
  }
  return [];
};

describe('an installation that says nothing of accounts', () => {
  it('takes invited people alone, and verifies their addresses', () => {
    expect(load({})).toMatchObject({ SIGN_UP: 'invite', EMAIL_VERIFICATION: 'required' });
  });
});

describe('EMAIL_VERIFICATION=off', () => {
  it.each([
    {},
    { HOST: 'localhost' },
    { HOST: '::1', PUBLIC_URL: 'http://[::1]:4700' },
    { PUBLIC_URL: 'http://localhost:4700' },
    { PUBLIC_URL: 'http://127.0.0.1:4700' },
  ])('starts on loopback: %j', (variables) => {
    expect(refused({ EMAIL_VERIFICATION: 'off', ...variables })).toEqual([]);
  });

  it.each([
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '10.0.0.1' },
    { HOST: '127.0.0.1.example.com' },
    { PUBLIC_URL: 'https://parlance.example.com' },
    { PUBLIC_URL: 'http://localhost.example.com' },
    { TRUST_PROXY_HOPS: '1' },
  ])('does not start where others can come in: %j', (variables) => {
    expect(refused({ EMAIL_VERIFICATION: 'off', ...variables })).toEqual(['EMAIL_VERIFICATION']);
  });
});

describe('e-mail', () => {
  const SMTP_URL = 'smtps://user:password@mail.example.com';
  const MAIL_FROM = 'Parlance <no-reply@example.com>';

  it('takes a server inside the network, and a sender', () => {
    expect(load({ SMTP_URL: 'smtp://10.0.0.25:2525', MAIL_FROM }).MAIL_FROM).toEqual({
      name: 'Parlance',
      address: 'no-reply@example.com',
    });
    expect(refused({ SMTP_URL, MAIL_FROM: 'no-reply@example.com' })).toEqual([]);
  });

  it.each([
    [{ SMTP_URL }, 'MAIL_FROM'],
    [{ SMTP_URL: 'https://mail.example.com', MAIL_FROM }, 'SMTP_URL'],
    [{ SMTP_URL: 'mail.example.com:25', MAIL_FROM }, 'SMTP_URL'],
    [{ SMTP_URL, MAIL_FROM: 'Parlance' }, 'MAIL_FROM'],
    [{ SMTP_URL, MAIL_FROM: 'a@example.com, b@example.com' }, 'MAIL_FROM'],
    [{ SMTP_URL, MAIL_FROM: 'A\nB <a@example.com>' }, 'MAIL_FROM'],
  ])('refuses %j', (variables, variable) => {
    expect(refused(variables)).toEqual([variable]);
  });
});
