// The accounts at telephone providers.
import { causeInWords } from '../probe/causes.js';
import { type Check, defineCheck, type FindingKind, type Looking } from '../probe/check.js';
import { ask } from '../probe/http.js';

const page = 'docs/operations.md';

/** The account, as the provider describes it. */
interface Account {
  /** Undefined where the provider tells none. */
  readonly state: string | undefined;
  readonly balance: { readonly amount: number; readonly currency: string } | undefined;
}

const unreachable = (provider: string): FindingKind => ({
  severity: 'broken',
  says: `${provider} cannot be reached.`,
  advice: `Let this process reach the interface of ${provider} over HTTPS. Numbers cannot be bought or routed until then.`,
  link: page,
});
const refuses = (provider: string, variables: string): FindingKind => ({
  severity: 'broken',
  says: `${provider} refuses the credentials of the account.`,
  advice: `Make new credentials at ${provider}, and put them into ${variables}.`,
  link: page,
});
const suspended = (provider: string): FindingKind => ({
  severity: 'broken',
  says: `The account at ${provider} is suspended or closed.`,
  advice: `Ask ${provider} for the reason. No call leaves through this account until then.`,
});
const balanceLow = (provider: string): FindingKind => ({
  severity: 'soon',
  says: `The account at ${provider} has little money left.`,
  advice: `Pay into the account at ${provider}. An account without money makes no calls and loses its numbers.`,
});

/** An amount in the currency of the account. */
const littleMoney = 5;

const object = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const moneyOf = (value: unknown): Account['balance'] => {
  const { balance, currency } = object(value);
  const amount = Number(balance);
  return balance === undefined || Number.isNaN(amount) ? undefined : { amount, currency: String(currency) };
};

class Refused extends Error {
  override readonly name = 'Refused';
  constructor(readonly status: number) {
    super(`It answered with the status ${status}.`);
  }
}

const json = async (
  looking: Looking,
  provider: string,
  url: string,
  authorization: string,
): Promise<unknown> => {
  const answer = await ask(looking, url, { clockOf: provider, headers: { authorization } });
  if (!answer.ok) throw new Refused(answer.status);
  return answer.json();
};

interface ProviderCheck {
  readonly provider: string;
  readonly needs: readonly string[];
  readonly urlVariable: string;
  readonly codes: Readonly<Record<'unreachable' | 'refuses' | 'balanceLow', string>> & {
    /** Absent where the provider does not tell the state of an account. */
    readonly suspended?: string;
  };
  readonly account: (looking: Looking) => Promise<Account>;
}

const providerCheck = ({ provider, needs, urlVariable, codes, account }: ProviderCheck): Check =>
  defineCheck({
    name: provider.toLowerCase(),
    about: `The credentials of the account at ${provider} are taken, and it ${codes.suspended === undefined ? '' : 'is active and '}has money.`,
    needs,
    uses: [urlVariable],
    findings: {
      [codes.unreachable]: unreachable(provider),
      [codes.refuses]: refuses(provider, needs.join(' and ')),
      ...(codes.suspended === undefined ? {} : { [codes.suspended]: suspended(provider) }),
      [codes.balanceLow]: balanceLow(provider),
    },
    look: async (looking) => {
      const subject = `the account at ${provider}`;
      try {
        const { state, balance } = await account(looking);
        if (codes.suspended !== undefined && state !== undefined && state !== 'active')
          looking.found(codes.suspended, { subject, seen: `${provider} calls it ${state}.` });
        if (balance !== undefined && balance.amount < littleMoney)
          looking.found(codes.balanceLow, {
            subject,
            seen: `Its balance is ${balance.amount} ${balance.currency}.`,
          });
      } catch (error) {
        const isRefused = error instanceof Refused && [401, 403].includes(error.status);
        looking.found(isRefused ? codes.refuses : codes.unreachable, { subject, seen: causeInWords(error) });
      }
    },
  });

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

const twilio = providerCheck({
  provider: 'Twilio',
  needs: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'],
  urlVariable: 'TWILIO_API_URL',
  codes: {
    unreachable: 'TWILIO_UNREACHABLE',
    refuses: 'TWILIO_REFUSES',
    suspended: 'TWILIO_SUSPENDED',
    balanceLow: 'TWILIO_BALANCE_LOW',
  },
  account: async (looking) => {
    const { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: token, TWILIO_API_URL } = looking.variables;
    const authorization = `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`;
    const account = `${withoutSlash(TWILIO_API_URL ?? 'https://api.twilio.com')}/2010-04-01/Accounts/${sid}`;
    const { status } = object(await json(looking, 'Twilio', `${account}.json`, authorization));
    // Twilio tells no balance of an account that is part of another one.
    const balance = await json(looking, 'Twilio', `${account}/Balance.json`, authorization).catch(
      () => undefined,
    );
    return { state: typeof status === 'string' ? status : undefined, balance: moneyOf(balance) };
  },
});

const telnyx = providerCheck({
  provider: 'Telnyx',
  needs: ['TELNYX_API_KEY'],
  urlVariable: 'TELNYX_API_URL',
  codes: {
    unreachable: 'TELNYX_UNREACHABLE',
    refuses: 'TELNYX_REFUSES',
    balanceLow: 'TELNYX_BALANCE_LOW',
  },
  account: async (looking) => {
    const { TELNYX_API_KEY: key, TELNYX_API_URL } = looking.variables;
    const base = withoutSlash(TELNYX_API_URL ?? 'https://api.telnyx.com/v2');
    const { data } = object(await json(looking, 'Telnyx', `${base}/balance`, `Bearer ${key}`));
    const { available_credit: available, currency } = object(data);
    return { state: undefined, balance: moneyOf({ balance: available, currency }) };
  },
});

export const providers: readonly Check[] = [twilio, telnyx];
