// The hours in which a person may be called. Windows of the operator, the organization and the campaign hold together: a narrower one
// never widens another. Pure, so that every combination is tested.
import type { VersionedSettings } from '@parlance/contracts';
import type { ClosedBy } from '../domain/campaign/campaign-events.js';
import type { Whereabouts } from './time-zones.js';
import { type CallingHours, isOpen, nextCommonOpening, type ZonedWindow } from './windows.js';

/** Whose window it is, from the widest to the narrowest. */
export type WindowOwner = ClosedBy;
export const windowOwners: readonly WindowOwner[] = ['operator', 'organization', 'campaign'];

type Window = NonNullable<VersionedSettings['callingWindow']>;

export interface CallingRules {
  /** The hours that the operator allows, by the clocks of the places where the person may be. */
  readonly operator: CallingHours | null;
  readonly organization: Window | null;
  /** Null for a call that no campaign makes. */
  readonly campaign: Window | null;
  /** The zone of the organization. */
  readonly organizationZone: string;
  /** The zone of the campaign; undefined for a call that no campaign makes. */
  readonly campaignZone: string | undefined;
  /** `replace`: a zone that the campaign or the row names takes the place of those of the organization and the number. */
  readonly namedTimezones: VersionedSettings['namedTimezones'];
}

export type CallingHoursAnswer =
  | { readonly open: true }
  | {
      readonly open: false;
      /** The widest window that is closed now. */
      readonly closedBy: WindowOwner;
      /** When all windows are open; undefined for never. */
      readonly opensAt: Date | undefined;
    };

const everyDay = [0, 1, 2, 3, 4, 5, 6] as const;

const unique = (zones: readonly string[]): readonly string[] => [...new Set(zones)];

/** The clock of a campaign is that of the organization, too, unless an admin lets a campaign choose its own. */
const campaignZones = ({
  organizationZone,
  campaignZone,
  namedTimezones,
}: CallingRules): readonly string[] => {
  if (campaignZone === undefined) return [organizationZone];
  return namedTimezones === 'replace' ? [campaignZone] : unique([organizationZone, campaignZone]);
};

const personZones = (rules: CallingRules, { number, named }: Whereabouts): readonly string[] => {
  const zones =
    rules.namedTimezones === 'replace' && named.length > 0 ? named : unique([...number, ...named]);
  // A number that says nothing of its place is called by the clock of the campaign, or of the organization.
  return zones.length > 0 ? zones : campaignZones(rules);
};

const windowsOf = (
  rules: CallingRules,
  whereabouts: Whereabouts,
): ReadonlyMap<WindowOwner, readonly ZonedWindow[]> => {
  const { operator, organization, campaign, campaignZone } = rules;
  const person = personZones(rules, whereabouts);
  const inZones = (window: ZonedWindow['window'] | null, zones: readonly string[]): readonly ZonedWindow[] =>
    window === null ? [] : zones.map((zone) => ({ window, zone }));
  const ofCampaign = campaignZone === undefined ? campaignZones(rules) : [campaignZone];
  return new Map<WindowOwner, readonly ZonedWindow[]>([
    ['operator', inZones(operator === null ? null : { ...operator, days: everyDay }, person)],
    [
      'organization',
      inZones(organization, organization?.basis === 'campaign' ? campaignZones(rules) : person),
    ],
    ['campaign', inZones(campaign, campaign?.basis === 'campaign' ? ofCampaign : person)],
  ]);
};

type Windows = ReturnType<typeof windowsOf>;

const closedIn = (windows: Windows, now: Date): WindowOwner | undefined =>
  windowOwners.find((owner) => windows.get(owner)?.some(({ window, zone }) => !isOpen(window, [zone], now)));

/** The widest window that is closed now; undefined where the person may be called. */
export const closedBy = (rules: CallingRules, whereabouts: Whereabouts, now: Date): WindowOwner | undefined =>
  closedIn(windowsOf(rules, whereabouts), now);

/** The one place that decides about calling hours. */
export const callingHoursAt = (
  rules: CallingRules,
  whereabouts: Whereabouts,
  now: Date,
): CallingHoursAnswer => {
  const windows = windowsOf(rules, whereabouts);
  const owner = closedIn(windows, now);
  if (owner === undefined) return { open: true };
  return { open: false, closedBy: owner, opensAt: nextCommonOpening([...windows.values()].flat(), now) };
};

/** The rules of a call of an organization, made by a campaign or not. */
export const callingRules = (
  settings: Pick<VersionedSettings, 'callingWindow' | 'timezone' | 'namedTimezones'> & {
    readonly operatorHours: CallingHours | null;
  },
  campaign?: { readonly callingWindow: Window | null; readonly timezone: string },
): CallingRules => ({
  operator: settings.operatorHours,
  organization: settings.callingWindow,
  campaign: campaign?.callingWindow ?? null,
  organizationZone: settings.timezone,
  campaignZone: campaign?.timezone,
  namedTimezones: settings.namedTimezones,
});

/** What `mayCall` looks at: the hours of a person at an instant. */
export interface CallingHoursFact {
  readonly at: Date;
  readonly whereabouts: Whereabouts;
  readonly answer: CallingHoursAnswer;
}

/** The facts for many people at one instant. Adjacent rows of a file share their zones, so each set of zones is answered once. */
export const callingHoursOf = (
  rules: CallingRules,
  at: Date,
): ((whereabouts: Whereabouts) => CallingHoursFact) => {
  const answers = new Map<string, CallingHoursAnswer>();
  return (whereabouts) => {
    const key = [...whereabouts.number, '|', ...whereabouts.named].join();
    const answer = answers.get(key) ?? callingHoursAt(rules, whereabouts, at);
    answers.set(key, answer);
    return { at, whereabouts, answer };
  };
};
