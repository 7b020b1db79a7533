// The number that people see on their phones: one that the organization has, or a new one, bought for its quoted price.
import type { Client } from '@parlance/client';
import type { Narrator } from './narrator.js';
import { patiently } from './patience.js';
import { dollars, table } from './tables.js';

export interface CallerNumber {
  readonly phoneNumber: string;
  readonly isNew: boolean;
}

const ownNumber = async (client: Client): Promise<string | undefined> => {
  const { data: numbers } = await patiently(() => client.numbers.list());
  return numbers.find(({ status }) => status === 'active')?.phoneNumber;
};

/** @throws Error when there is none for sale; ApiError when the purchase is refused */
const buyNumber = async (client: Client, say: Narrator['say']): Promise<string> => {
  const query = { provider: 'TWILIO', country: 'US', areaCode: '415', limit: '5' } as const;
  const { data: offers } = await patiently(() => client.numbers.search({ query }));
  const offer = [...offers].sort((a, b) => a.monthlyPriceMicros - b.monthlyPriceMicros)[0];
  if (offer === undefined) throw new Error('no number is for sale in area code 415');
  const rows = offers.map(({ phoneNumber, locality, region, monthlyPriceMicros }) => [
    phoneNumber,
    [locality, region].filter(Boolean).join(', '),
    dollars(monthlyPriceMicros),
  ]);
  say(table(['for sale', 'where', 'a month'], rows));
  const { phoneNumber, quoteId } = offer;
  const { data: bought } = await client.numbers.buy({ body: { provider: 'TWILIO', phoneNumber, quoteId } });
  return bought.phoneNumber;
};

export const callerNumber = async (client: Client, say: Narrator['say']): Promise<CallerNumber> => {
  const own = await ownNumber(client);
  return own === undefined
    ? { phoneNumber: await buyNumber(client, say), isNew: true }
    : { phoneNumber: own, isNew: false };
};
