// Guessing at passwords: the guesses that are counted, their counts, and the owner's access while strangers guess.
import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stormSize, type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { type Fixture, startFixture } from '../testing/fixture.js';
import { cookiesOf, type Person, type Reply, type Send, TestGateway } from '../testing/test-gateway.js';

let engines: TestEngines;
let fixture: Fixture;
let gateways: readonly [TestGateway, TestGateway];
let owner: Person;
/** Cookies of a browser in which the owner has signed in. */
let ownBrowser: string;
/** Cookies of a session after the password was reset. */
let own: string;
let db: Database;

/** Each judged guess costs the hash of a password, which is slow on purpose. */
const perAccount = 10;
const addresses = 50;
/**
 * The full storm: `PARLANCE_TEST_GUESSES=10000`. By default each address guesses twice as often as it may in a minute.
 */
const guesses = stormSize('PARLANCE_TEST_GUESSES', 20 * addresses);
const variables = {
  TRUST_PROXY_HOPS: '1',
  // off is for loopback alone, and a proxy stands in front
  EMAIL_VERIFICATION: 'required',
  AUTH_SECRET: 'the same in both gateways, so that each knows the devices of the other',
  RATE_LIMIT_AUTH_PER_MINUTE: '10',
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '20',
  RATE_LIMIT_READ_PER_MINUTE: '1000000',
  GUESSES_PER_ACCOUNT: String(perAccount),
};

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  fixture = await startFixture(engines, variables);
  const { postgresUrl } = fixture;
  gateways = [fixture.gateway, await TestGateway.start({ postgresUrl, natsUrl: engines.natsUrl, variables })];
  owner = fixture.person;
  db = createDatabase({ url: postgresUrl, applicationName: 'test', max: 1 });
  ownBrowser = cookiesOf(await signIn(owner.email, owner.password, { 'x-forwarded-for': '192.0.2.1' }));
});

afterAll(async () => {
  await db?.end();
  await gateways?.[1].stop();
  await fixture?.stop();
});

const signIn = (
  email: string,
  password: string,
  headers: Readonly<Record<string, string>>,
  at: TestGateway = fixture.gateway,
): Promise<Reply> => at.send('/auth/sign-in/email', { method: 'POST', headers, body: { email, password } });

/** Asks again while a machine that is short of time answers 503, which judges no password and counts none. */
const judgedAs = async (ask: () => Promise<Reply>): Promise<number> => {
  for (;;) {
    const { status } = await ask();
    if (status !== 503) return status;
  }
};

/** The status alone, over connections that are kept: thousands of these are sent. */
const statusOf = (agent: Agent, at: TestGateway, path: string, { headers, body }: Send): Promise<number> =>
  new Promise((resolve, reject) => {
    const payload = JSON.stringify(body);
    const asked = httpRequest(
      `${at.gateway.url}/api/v1${path}`,
      {
        agent,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': payload.length },
      },
      (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    asked.once('error', reject);
    asked.end(payload);
  });

describe(`${guesses} guesses at one account from ${addresses} addresses through two gateways`, () => {
  it('get as many answers as an account may have in 15 minutes, and 429 for the others', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const counts: Record<number, number> = {};
    let sent = 0;
    const guess = async (): Promise<void> => {
      while (sent < guesses) {
        const nth = sent;
        sent += 1;
        const at = gateways[nth % 2] ?? fixture.gateway;
        const headers = { 'x-forwarded-for': `198.51.100.${nth % addresses}` };
        // in another case it is the same account
        const email = nth % 3 === 0 ? owner.email.toUpperCase() : owner.email;
        const status = await statusOf(agent, at, '/auth/sign-in/email', {
          headers,
          body: { email, password: `guess ${nth}` },
        });
        counts[status] = (counts[status] ?? 0) + 1;
      }
    };
    try {
      await Promise.all(Array.from({ length: 16 }, guess));
    } finally {
      agent.destroy();
    }
    // On a machine that is short of time a few answers are 503, before or after the guess is counted. None judges a password.
    const { 401: judged = 0, 429: refused = 0, 503: unavailable = 0 } = counts;
    expect(judged + refused + unavailable).toBe(guesses);
    expect(judged).toBeLessThanOrEqual(perAccount);
    expect(unavailable).toBeLessThan(guesses / 100);
    expect(judged).toBeGreaterThan(0);
  }, 240_000);

  it('do not keep the owner out of a browser that has signed in before, at either gateway', async () => {
    const headers = {
      'x-forwarded-for': '198.51.100.1',
      cookie: ownBrowser,
      origin: fixture.gateway.gateway.url,
    };
    for (const at of gateways) {
      const own = { ...headers, origin: at.gateway.url };
      expect((await signIn(owner.email, owner.password, own, at)).status).toBe(200);
    }
    const elsewhere = { 'x-forwarded-for': '203.0.113.9' };
    expect((await signIn(owner.email, owner.password, elsewhere)).status).toBe(429);
  });

  it('do not keep the owner out who resets the password by mail, in whatever browser', async () => {
    await db.query(
      `insert into verification (id, identifier, value, "expiresAt", "createdAt", "updatedAt")
       values (gen_random_uuid(), 'reset-password:token-of-a-mail', $1, now() + interval '1 hour', now(), now())`,
      [owner.userId],
    );
    const reset = await fixture.gateway.send('/auth/reset-password', {
      method: 'POST',
      headers: { 'x-forwarded-for': '203.0.113.20' },
      body: { token: 'token-of-a-mail', newPassword: 'another long password' },
    });
    expect(reset.status).toBe(200);
    const headers = {
      'x-forwarded-for': '203.0.113.20',
      cookie: cookiesOf(reset),
      origin: fixture.gateway.gateway.url,
    };
    expect((await signIn(owner.email, 'another long password', headers)).status).toBe(200);
    own = cookiesOf(await signIn(owner.email, 'another long password', headers));
  });

  it('are not granted by the device of another account, or by a cookie that was made up', async () => {
    const other = await fixture.gateway.signUp({ headers: { 'x-forwarded-for': '203.0.113.10' } });
    const theirs = cookiesOf(
      await signIn(other.email, other.password, { 'x-forwarded-for': '203.0.113.10' }),
    );
    const device = theirs.split('; ').find((pair) => pair.startsWith('parlance.device=')) ?? '';
    for (const cookie of [device, 'parlance.device=a.b.c', 'parlance.device=..', 'parlance.device=']) {
      const headers = { 'x-forwarded-for': '203.0.113.11', cookie };
      expect((await signIn(owner.email, owner.password, headers)).status).toBe(429);
    }
  });

  it('leave sessions, other accounts and the rest of the door alone', async () => {
    // the reset ended the sessions from before
    const session = { cookie: own, origin: fixture.gateway.gateway.url };
    const current = await fixture.gateway.send('/auth/get-session', { headers: session });
    expect([current.status, current.body.user.email]).toEqual([200, owner.email]);
    const other = await signIn('ada@example.com', 'not a password', { 'x-forwarded-for': '198.51.100.2' });
    expect(other.status).toBe(401);
  });
});

describe('a known device', () => {
  it('may guess as often as strangers together, and no more', async () => {
    const statuses = new Set<number>();
    const headers = {
      'x-forwarded-for': '192.0.2.2',
      cookie: ownBrowser,
      origin: fixture.gateway.gateway.url,
    };
    for (let count = 0; count < perAccount; count += 1)
      statuses.add(await judgedAs(() => signIn(owner.email, 'not the password', headers)));
    expect([...statuses]).toEqual([401]);
    expect((await signIn(owner.email, owner.password, headers)).status).toBe(429);
  });
});

describe('a right password', () => {
  it('is not counted, however often it is used', async () => {
    const person = await fixture.gateway.signUp({ headers: { 'x-forwarded-for': '203.0.113.12' } });
    for (let count = 0; count < 12; count += 1) {
      const headers = { 'x-forwarded-for': '203.0.113.12' };
      expect(await judgedAs(() => signIn(person.email, person.password, headers))).toBe(200);
    }
  });
});

describe('a session', () => {
  it('cannot be used to guess the password of its person', async () => {
    const person = await fixture.gateway.signUp({ headers: { 'x-forwarded-for': '203.0.113.13' } });
    const change = (nth: number): Promise<Reply> =>
      fixture.gateway.send('/auth/change-password', {
        method: 'POST',
        headers: { ...person.session, 'x-forwarded-for': `203.0.113.${100 + nth}` },
        body: { currentPassword: `guess ${nth}`, newPassword: 'another password' },
      });
    const statuses: number[] = [];
    for (let nth = 0; nth <= perAccount; nth += 1) statuses.push(await judgedAs(() => change(nth)));
    expect(statuses).toEqual([...Array.from({ length: perAccount }, () => 400), 429]);
  });
});
