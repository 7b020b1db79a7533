// For tests: the providers' sides of the trunks, as an operator sees them in the consoles.
import { expect } from '@jest/globals';
import { telnyxClient, twilioClient } from '@parlance/telephony/clients';
import type { NumbersWorld } from './numbers-world.js';

/** Under this name the installation `main` keeps its sides of the trunks. */
export const sipTarget = { name: 'parlance:main', host: 'sip.example.com' };

export const twilioOf = ({ variables }: NumbersWorld): ReturnType<typeof twilioClient> =>
  twilioClient({
    accountSid: variables.TWILIO_ACCOUNT_SID ?? '',
    authToken: variables.TWILIO_AUTH_TOKEN ?? '',
    url: variables.TWILIO_API_URL,
  });

export const telnyxOf = ({ variables }: NumbersWorld): ReturnType<typeof telnyxClient> =>
  telnyxClient({ apiKey: variables.TELNYX_API_KEY ?? '', url: variables.TELNYX_API_URL });

/** Expects one complete trunk at each provider: nothing was made twice, and nothing is half made. */
export const expectOneOfEach = async (world: NumbersWorld): Promise<void> => {
  const [twilio, telnyx] = [twilioOf(world), telnyxOf(world)];
  const trunks = await twilio.trunking.v1.trunks.list();
  const lists = await twilio.api.v2010.account.sip.credentialLists.list();
  expect([trunks.length, lists.length]).toEqual([1, 1]);
  const attached = await twilio.trunking.v1.trunks(trunks[0]?.sid ?? '').credentialsLists.list();
  expect(attached.map(({ sid }) => sid)).toEqual(lists.map(({ sid }) => sid));
  const connections = (await telnyx.fqdnConnections.list()).data;
  const profiles = (await telnyx.outboundVoiceProfiles.list()).data;
  expect([connections.length, profiles.length]).toEqual([1, 1]);
  expect(connections[0]?.outbound?.outbound_voice_profile_id).toBe(profiles[0]?.id);
};
