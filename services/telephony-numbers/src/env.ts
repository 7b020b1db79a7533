// Variables of this service.
import {
  cursorEnv,
  livekitEnv,
  platformKeys,
  secret,
  sipEnv,
  telephonyEnv,
  wholeNumber,
} from '@parlance/config';
import { hostEnv } from '@parlance/service-host/env';
import { installationName } from '@parlance/telephony/marker';
import { z } from 'zod';
import { inboundAddresses, providersAddresses } from './inbound-addresses.js';
import { crashPointNames } from './purchase/crash-points.js';
import { sipPlace } from './trunks/sip-place.js';

const place = z.string().regex(sipPlace, 'a host, such as sip.example.com or 127.0.0.1:5070;transport=udp');

export const Env = z
  .object({
    ...hostEnv,
    ...cursorEnv,
    ...livekitEnv,
    ...telephonyEnv,
    ...sipEnv,
    BILLING_MODE: z
      .enum(['hosted', 'own'])
      .default('hosted')
      .describe(
        'hosted: you sell numbers, at quoted prices; own: the provider accounts belong to who buys, at cost, quotes optional.',
      ),
    QUOTE_KEY: platformKeys.QUOTE_KEY,
    QUOTE_KEY_PREVIOUS: secret(32)
      .optional()
      .describe('The key before, for ten minutes after a change: quotes that it signed are still taken.'),
    NUMBER_MARKUP_BASIS_POINTS: wholeNumber(0, 100_000)
      .default(2_000)
      .describe("Hosted: what you add to the provider's monthly price, in hundredths of a percent."),
    NUMBER_MARKUP_MINIMUM_MICROS: wholeNumber(0, 100_000_000)
      .default(250_000)
      .describe("Hosted: what you add at least, in millionths of the price's currency."),
    INSTALLATION_NAME: z
      .string()
      .regex(installationName, 'lower case letters, digits and dashes, at most 18')
      .default('main')
      .describe(
        'Written on every number at its provider. Installations that share a provider account need different ones; never change it.',
      ),
    SIP_INBOUND_HOST: z
      .string()
      .regex(/^[A-Za-z0-9.-]{1,253}$/, 'the name of a host')
      .optional()
      .describe(
        "Host of LiveKit's SIP service as providers reach it, such as sip.example.com. Without it numbers can call, and nobody can call them.",
      ),
    SIP_INBOUND_ADDRESSES: z
      .string()
      .refine((text) => inboundAddresses(text).malformed.length === 0, {
        message: 'addresses and ranges such as 192.0.2.10 and 192.0.2.0/24, separated by commas',
        abort: true,
      })
      .refine((text) => inboundAddresses(text).ranges.length > 0, 'at least one address')
      .default(providersAddresses.join())
      .meta({ otherwise: 'the signalling addresses that Twilio and Telnyx publish' })
      .describe(
        'Addresses and ranges, separated by commas, from which calls to your numbers are accepted. Set it for another carrier, and when a provider announces new addresses.',
      ),
    SIP_INBOUND_ADDRESSES_ANYBODY: z
      .enum(['yes', 'no'])
      .default('no')
      .describe(
        'yes accepts a range in SIP_INBOUND_ADDRESSES that covers practically everybody, such as 0.0.0.0/0: then only a firewall decides who calls your numbers.',
      ),
    SIP_INBOUND_USERNAME: z
      .string()
      .regex(/^[\w.@+-]{1,100}$/, 'letters, digits and . _ @ + -, at most 100')
      .optional()
      .describe(
        'User name with which your carrier answers a digest challenge of LiveKit, beside its address. Only for a carrier that can: Twilio cannot, and its calls are refused then.',
      ),
    SIP_INBOUND_PASSWORD: secret(16)
      .optional()
      .describe('Password of SIP_INBOUND_USERNAME. 16 characters or more.'),
    INBOUND_CALLS_PER_MINUTE: wholeNumber(1, 100_000)
      .default(60)
      .describe(
        'New calls to one number in a minute, which may all come at once. A number that gets more is closed at LiveKit until the minute is over.',
      ),
    SIP_OUTBOUND_TRANSPORT: z
      .enum(['udp', 'tcp', 'tls'])
      .default('tcp')
      .describe(
        'How calls leave to a provider: udp, tcp, or tls, with which their sound is encrypted where the provider does so.',
      ),
    TWILIO_SIP_HOST: place
      .optional()
      .describe(
        "Where calls leave to through Twilio, instead of the trunk's own domain: for a region, or a telephone network of your own.",
      ),
    TELNYX_SIP_HOST: place
      .optional()
      .describe('Where calls leave to through Telnyx, instead of sip.telnyx.com, such as sip.telnyx.eu.'),
    PROVIDER_TIMEOUT_MS: wholeNumber(100, 60_000)
      .default(10_000)
      .describe('How long an answer of a telephone provider is waited for.'),
    DIAL_GRACE_MS: wholeNumber(50, 10_000)
      .default(2_000)
      .describe(
        'How long a dial may take once it was told that its caller number may be used. Giving a number back waits as long.',
      ),
    PURCHASE_DOUBT_SECONDS: wholeNumber(1, 3_600)
      .default(120)
      .describe('After so long a purchase that the provider has never heard of counts as not made.'),
    PURCHASE_PATIENCE_SECONDS: wholeNumber(1, 86_400)
      .default(900)
      .describe('A number that was bought and cannot be made to work for so long is given back.'),
    ORPHAN_RELEASE_HOURS: wholeNumber(1, 8_760)
      .default(24)
      .describe(
        "A number at a provider that carries our marker and is nobody's is given back after so long.",
      ),
    DOCTOR_ECHO_NUMBER: z
      .string()
      .regex(/^\+[1-9]\d{6,14}$/, 'a number in international form, such as +14155550100')
      .optional()
      .describe(
        'A number that answers by itself, such as an echo or milliwatt test: npm run doctor -- --call calls it through each provider account.',
      ),
    CRASH_AT: z
      .enum(crashPointNames)
      .optional()
      .meta({ testOnly: true })
      .describe('For tests only: the process kills itself when it comes to this point.'),
  })
  .refine(
    ({ SIP_INBOUND_ADDRESSES: text, SIP_INBOUND_ADDRESSES_ANYBODY: anybody }) =>
      anybody === 'yes' || inboundAddresses(text).wide.length === 0,
    {
      path: ['SIP_INBOUND_ADDRESSES'],
      message:
        'a range of it lets practically anybody call: name the addresses of your carrier, or set SIP_INBOUND_ADDRESSES_ANYBODY=yes as well',
    },
  )
  .refine(
    ({ SIP_INBOUND_USERNAME: username, SIP_INBOUND_PASSWORD: password }) =>
      (username === undefined) === (password === undefined),
    {
      path: ['SIP_INBOUND_PASSWORD'],
      message: 'is set together with SIP_INBOUND_USERNAME, or neither: LiveKit ignores half of a pair',
    },
  )
  .meta({ process: 'telephony-numbers' });
export type Env = z.output<typeof Env>;
