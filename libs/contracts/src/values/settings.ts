// The settings of an organization for all of its agents and calls.
import { z } from 'zod';
import { Budget, CallingWindow } from './outbound-call.js';
import { timezone } from './text.js';

// ISO 3166-1, and three that telephone numbers tell apart beside it: Ascension, Tristan da Cunha and Kosovo.
const codes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
  'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
  'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ ' +
  'UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW AC TA XK';

/** Every country that can be allowed, by its code of two letters. */
export const countryCodes: ReadonlySet<string> = new Set(codes.split(' '));

const country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be an ISO 3166 code of two letters')
  .refine((code) => countryCodes.has(code), 'is not a country')
  .meta({ description: 'ISO 3166-1 alpha-2' });

const countries = z
  .array(country)
  .min(1)
  .max(countryCodes.size)
  .refine((list) => new Set(list).size === list.length, 'must not name a country twice');

/** What a time zone in the row of a file, or of a campaign, does to the hours in which a person is called. */
const namedTimezones = z.enum(['narrow', 'replace']).meta({
  description:
    'narrow: a person is called when it is open in the zones of their number and in the named one; replace: the named zone alone counts',
});

const fields = {
  timezone: timezone.meta({
    description: 'IANA time zone; determines when days start, on the dashboard and elsewhere',
  }),
  maxConcurrentCalls: z.int().min(1).max(10_000),
  inboundReserve: z
    .int()
    .min(0)
    .max(10_000)
    .meta({ description: 'share of those calls reserved for inbound calls' }),
  callingWindow: CallingWindow.nullable(),
  dailyAttemptsPerNumber: z.int().min(1).max(100).nullable(),
  quickCallBudget: Budget.nullable().meta({
    description: "maximum cost of all quick calls per day; null applies only the operator's limits",
  }),
};

const callRetentionDays = z.int().min(1).max(3_650).nullable().meta({
  description:
    "days after which calls are deleted, with their transcripts and recordings; null applies the operator's default",
});

export const Settings = z
  .object({
    ...fields,
    namedTimezones: namedTimezones.optional(),
    allowedCountries: z
      .array(z.string())
      .meta({ description: "countries that can be called; empty for those of the organization's numbers" }),
    callRetentionDays: callRetentionDays.optional(),
  })
  .meta({ id: 'Settings', description: 'Settings of an organization.' });
export type Settings = z.infer<typeof Settings>;

/** The settings as services tell each other. */
export const VersionedSettings = Settings.extend({
  /** Grows with every change: of two, the higher one holds. 0 before the first change. */
  version: z.int(),
  /** Null until the organization chooses: the countries of its own numbers. */
  allowedCountries: z.array(z.string()).nullable(),
  /** An announcement of an older release has no budget. */
  quickCallBudget: z.object(Budget.shape).nullable().default(null),
  /** An announcement of an older release does not have it. */
  namedTimezones: namedTimezones.default('narrow'),
});
export type VersionedSettings = z.infer<typeof VersionedSettings>;

/** A field that is left out stays unchanged. */
export const SettingsChange = z
  .strictObject({
    ...fields,
    namedTimezones,
    allowedCountries: countries
      .nullable()
      .meta({ description: "countries that can be called; null for those of the organization's numbers" }),
    callRetentionDays,
  })
  .partial();
export type SettingsChange = z.output<typeof SettingsChange>;
